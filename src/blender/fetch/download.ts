import { open, rm } from "node:fs/promises";
import type { BlenderPin } from "../../../contracts/documents/blender-pins.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { startSha256 } from "../../core/digest.ts";
import { HandoffError } from "../../core/error.ts";
import { Agent, type AgentType, requestThrough } from "../../core/undici.ts";

/**
 * Streams the pinned archive to a file that is there only when size and SHA-256 are the pin's. A transfer that
 * breaks starts again from zero, three times at most; nothing is spliced. Throws RENDER_FETCH_FAILED,
 * RENDER_FETCH_DIGEST, or the signal's reason.
 */
export async function downloadArchive(pin: BlenderPin, path: string, signal: AbortSignal): Promise<void> {
  const agent = new Agent({
    connect: { timeout: LIMITS.connectMs },
    headersTimeout: LIMITS.headersMs,
    bodyTimeout: LIMITS.idleMs,
  });
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once({ pin, path, signal, agent });
      } catch (thrown) {
        await rm(path, { force: true });
        signal.throwIfAborted();
        const final = thrown instanceof HandoffError || attempt >= LIMITS.transportAttempts;
        if (!final) continue;
        if (thrown instanceof HandoffError) throw thrown;
        const why = thrown instanceof Error ? thrown.message : "";
        throw new HandoffError("RENDER_FETCH_FAILED", `${pin.url}: ${why}`, { cause: thrown });
      }
    }
  } finally {
    await agent.destroy();
  }
}

async function once(work: {
  pin: BlenderPin;
  path: string;
  signal: AbortSignal;
  agent: AgentType;
}): Promise<void> {
  const { pin, path, signal, agent } = work;
  const url = new URL(pin.url);
  const answer = await requestThrough(agent, {
    origin: url.origin,
    path: url.pathname + url.search,
    method: "GET",
    signal,
  });
  answer.body.on("error", () => {}); // a body that is given up says so on its own
  if (answer.statusCode !== 200) {
    answer.body.destroy();
    throw new HandoffError("RENDER_FETCH_FAILED", `${pin.url}: HTTP ${answer.statusCode}.`);
  }
  const hash = startSha256();
  let bytes = 0;
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of answer.body) {
      if (!(chunk instanceof Uint8Array)) continue;
      bytes += chunk.byteLength;
      if (bytes > pin.bytes) {
        answer.body.destroy();
        throw new HandoffError("RENDER_FETCH_DIGEST", `It is larger than ${pin.bytes} bytes.`);
      }
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  const sha256 = hash.digest("hex");
  if (bytes !== pin.bytes || sha256 !== pin.sha256)
    throw new HandoffError(
      "RENDER_FETCH_DIGEST",
      `Expected ${pin.bytes} bytes ${pin.sha256}, got ${bytes} ${sha256}.`,
    );
}
