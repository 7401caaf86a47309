import { expect, test } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { HandoffError } from "../../../src/core/error.ts";
import { examineBlender } from "../../../src/doctor/examine-blender.ts";
import { examineGateway } from "../../../src/doctor/examine-gateway.ts";
import { examineNode } from "../../../src/doctor/examine-node.ts";

test("a Node.js that is too old is a fault with what to do", () => {
  expect(examineNode("20.1.0").state).toBe("fault");
  expect(examineNode("24.22.3")).toEqual({
    subject: "Node.js",
    state: "ok",
    detail: "24.22.3",
    action: null,
  });
});

test("a Blender that is not there is a fault that names its code", async () => {
  const line = await examineBlender({
    blender: "/nonexistent/blender",
    searchPath: undefined,
    clock: systemClock,
  });
  expect(line.state).toBe("fault");
  expect(line.detail).toMatch(/^RENDER_BLENDER_MISSING:/);
});

test("a gateway that does not answer is one fault; the token is not tried", async () => {
  const lines = await examineGateway({
    wellKnown: () => Promise.reject(new HandoffError("GATEWAY_UNREACHABLE")),
    authenticated: () => Promise.reject(new Error("must not be called")),
  });
  expect(lines.map((line) => [line.subject, line.state])).toEqual([["gateway", "fault"]]);
});

test("a token that is refused is a fault of its own", async () => {
  const lines = await examineGateway({
    wellKnown: () => Promise.resolve({ gatewayId: "g_1" }),
    authenticated: () => Promise.reject(new HandoffError("GATEWAY_UNAUTHORIZED")),
  });
  expect(lines.map((line) => [line.subject, line.state])).toEqual([
    ["gateway", "ok"],
    ["token", "fault"],
  ]);
});
