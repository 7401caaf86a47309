import { join } from "node:path";
import { expect, test } from "vitest";
import { knownBuild } from "../../../src/blender/known-builds.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { HandoffError } from "../../../src/core/error.ts";
import { examineBlender } from "../../../src/doctor/examine-blender.ts";
import { examineDisk } from "../../../src/doctor/examine-disk.ts";
import { examineGateway } from "../../../src/doctor/examine-gateway.ts";
import { examineNode } from "../../../src/doctor/examine-node.ts";
import { temporaryFolder } from "../../support/temporary.ts";

test("a Node.js that is too old is a fault with what to do", () => {
  expect(examineNode("20.1.0").state).toBe("fault");
  expect(examineNode("24.22.3")).toEqual({
    subject: "Node.js",
    state: "ok",
    detail: "24.22.3",
    action: null,
  });
});

test("a Blender that is not there is one fault that names its code", async () => {
  const lines = await examineBlender({
    blender: "/nonexistent/blender",
    runFolder: "/nonexistent",
    signal: new AbortController().signal,
    clock: systemClock,
  });
  expect(lines).toMatchObject([
    { subject: "Blender", state: "fault", detail: expect.stringMatching(/^RENDER_BLENDER_MISSING:/) },
  ]);
});

test("Debian's package is known by its digest", () => {
  const debian = "4f4a7cd28cfd806d5b834edbc7b4485b1221007bceef40b9076c439b32377985";
  expect(knownBuild(debian)).toContain("Debian");
  expect(knownBuild("0".repeat(64))).toBeNull();
});

test("the disk is that of the nearest folder that is there, and a remote file system is named", async () => {
  const lines = examineDisk(join(await temporaryFolder(), "not", "there", "yet"));
  expect(lines.map(({ subject }) => subject)).toEqual(["disk", "file system"]);
  expect(lines[1]).toMatchObject({ state: "ok", detail: "local" });
});

test("a gateway that does not answer is one fault; the token is not tried", async () => {
  const lines = await examineGateway({
    wellKnown: () => Promise.reject(new HandoffError("GATEWAY_UNREACHABLE")),
    clockOffset: () => null,
    authenticated: () => Promise.reject(new Error("must not be called")),
  });
  expect(lines.map((line) => [line.subject, line.state])).toEqual([["gateway", "fault"]]);
});

test("a token that is refused is a fault of its own", async () => {
  const lines = await examineGateway({
    wellKnown: () => Promise.resolve({ gatewayId: "g_1" }),
    clockOffset: () => 0,
    authenticated: () => Promise.reject(new HandoffError("GATEWAY_UNAUTHORIZED")),
  });
  expect(lines.map((line) => [line.subject, line.state])).toEqual([
    ["gateway", "ok"],
    ["clock", "ok"],
    ["token", "fault"],
  ]);
});

test.each([
  [0, "ok"],
  [-5, "ok"],
  [3_600, "warning"],
  [null, "warning"],
])("a gateway whose clock is %s s ahead is %s", async (offset, state) => {
  const lines = await examineGateway({
    wellKnown: () => Promise.resolve({ gatewayId: "g_1" }),
    clockOffset: () => offset,
    authenticated: null,
  });
  expect(lines.at(-1)).toMatchObject({ subject: "clock", state });
});

test.each([
  [0, "ok"],
  [-5, "ok"],
  [6, "warning"],
  [-3_600, "warning"],
  [null, "warning"],
] as const)("a gateway's clock that is %s seconds ahead is %s, with what to do", async (offset, state) => {
  const lines = await examineGateway({
    wellKnown: () => Promise.resolve({ gatewayId: "g_1" }),
    clockOffset: () => offset,
    authenticated: null,
  });
  expect(lines.map((line) => [line.subject, line.state, line.action !== null])).toEqual([
    ["gateway", "ok", false],
    ["clock", state, state !== "ok"],
  ]);
});
