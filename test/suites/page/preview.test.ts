import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../contracts/limits.ts";
import { checkFrame, type FrameSpec } from "../../../src/frame/check-frame.ts";
import { startShrink } from "../../../src/frame/shrink-frame.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { headerChunk } from "../../support/png-build.ts";
import { leased, post } from "../gateway/route-calls.ts";

/** A frame of which each pixel has another colour. */
const frame = (width: number, height: number, channels: 1 | 3 | 4, bytes: 1 | 2 = 1): Buffer =>
  Buffer.from(
    Uint8Array.from({ length: width * height * channels * bytes }, (_, index) => (index * 7) % 251),
  );
const shrinkFrame = (spec: FrameSpec, rows: Buffer): Buffer => {
  const picture = startShrink(spec);
  const rowBytes = rows.length / spec.height;
  // some at a time, as a decoder shows them
  for (let row = 0; row < spec.height; row += 7)
    picture.take(rows.subarray(row * rowBytes, (row + 7) * rowBytes), row);
  return picture.finish();
};
const picture = (): Buffer =>
  shrinkFrame({ width: 64, height: 36, bitDepth: 8, colorType: 6 }, frame(64, 36, 4));
const show = (
  gateway: TestGateway,
  body: Buffer,
  { token, fence = "1", query = "?frame=205" }: { token: string; fence?: string; query?: string },
) =>
  gateway.call(`/q/preview/task${query}`, {
    method: "PUT",
    token,
    body,
    headers: { "content-type": "image/png", "fencing-token": fence },
  });

describe("the picture of the last finished frame", () => {
  test("is what its holder shows, and is told to readers of the page only", async () => {
    const { gateway, worker } = await leased();
    expect((await gateway.call("/q/preview/task")).code).toBe("preview_unknown");
    expect((await show(gateway, picture(), worker)).status).toBe(200);
    const answer = await gateway.call("/q/preview/task", { token: null });
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "image/png"]);
    expect(answer.bytes.equals(picture())).toBe(true);
    expect((await gateway.call("/q/preview/task", { token: worker.token })).code).toBe("role_forbidden");
  });

  test("under a lease that is not held it is refused", async () => {
    const { gateway, worker, held } = await leased();
    expect((await show(gateway, picture(), { ...worker, fence: "2" })).code).toBe("stale_or_invalid_lease");
    expect((await show(gateway, picture(), { ...worker, fence: "x" })).code).toBe("invalid_request_shape");
    expect((await show(gateway, picture(), { ...worker, query: "" })).code).toBe("invalid_request_shape");
    const other = await gateway.registerWorker();
    expect((await show(gateway, picture(), other)).code).toBe("stale_or_invalid_lease");
    await post(gateway, "/q/release", { token: worker.token, body: { ...held, reason: "X" } });
    expect((await show(gateway, picture(), worker)).code).toBe("stale_or_invalid_lease");
  });

  test("what is no small canonical PNG never reaches a browser", async () => {
    const { gateway, worker } = await leased();
    const good = picture();
    const cut = good.subarray(0, good.length - 1);
    const huge = Buffer.concat([good.subarray(0, 8), headerChunk({ width: 16_000, height: 16_000 })]);
    const script = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`);
    for (const body of [cut, huge, script, Buffer.concat([good, Buffer.from("x")]), Buffer.alloc(0)])
      expect((await show(gateway, body, worker)).code).toBe("preview_invalid");
    const much = Buffer.alloc(LIMITS.previewBytes + 1);
    expect((await show(gateway, much, worker)).code).toBe("body_too_large");
  });

  test.each([
    { width: 7, height: 5, bitDepth: 8, colorType: 6 },
    { width: 640, height: 360, bitDepth: 16, colorType: 2 },
    { width: 300, height: 3_000, bitDepth: 8, colorType: 0 },
    { width: 4_000, height: 2, bitDepth: 16, colorType: 6 },
  ] as const)("a frame of $width x $height, $bitDepth bits, is shrunk to what the gateway takes", (spec) => {
    const channels = { 0: 1, 2: 3, 6: 4 } as const;
    const rows = frame(spec.width, spec.height, channels[spec.colorType], spec.bitDepth === 16 ? 2 : 1);
    const small = shrinkFrame(spec, rows);
    const verdict = checkFrame(small, { expect: null });
    expect(verdict).toMatchObject({ ok: true, facts: { canonical: true, bitDepth: 8, colorType: 2 } });
    expect(small.length).toBeLessThanOrEqual(LIMITS.previewBytes);
    const facts = verdict.ok ? verdict.facts : null;
    expect(Math.max(facts?.width ?? 0, facts?.height ?? 0)).toBeLessThanOrEqual(LIMITS.previewSide);
  });
});
