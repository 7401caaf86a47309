import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evidence } from "../../../fixtures/evidence-maker/good.ts";
import { parseStrict } from "../../../src/core/json/parse-strict.ts";
import { rawMember } from "../../../src/join/envelope/raw-member.ts";
import { type EnvelopeRead, readEnvelope } from "../../../src/join/envelope/read-envelope.ts";

const read = (bytes: Buffer): Promise<EnvelopeRead> =>
  readEnvelope(parseStrict(bytes), rawMember(bytes, ["payload"]));
const SEEDS = join(import.meta.dirname, "../../../../shared/seeds");
const seed = (number: string): Buffer | null => {
  const name = existsSync(SEEDS) ? readdirSync(SEEDS).find((one) => one.startsWith(`${number}_`)) : undefined;
  return name === undefined ? null : readFileSync(join(SEEDS, name));
};

const recorded = {
  schema: "herma.priority_work_gateway.object.v1",
  object_key: "a_made_up_object_v1",
  version_num: 1,
  version_count: 1,
  category: "agent_kit",
  producer_agent: "somebody",
  worker_uuid: "any id that is not empty",
  source_task_id: "verb_1",
  sha256_hash: "a".repeat(64),
  payload_hash_mode: "payload_sha256",
  payload_sha256_verified: true,
  payload_json_valid: true,
  integrity_status: "verified",
  total_payload_bytes: 12,
  created_at: "2026-11-08T21:29:11.859Z",
  payload: { n: 1.5 },
  built_on_edges: [],
  unknown_field: { deep: [null] },
};
const asText = (value: unknown): Buffer => Buffer.from(JSON.stringify(value, null, 2));

describe("readEnvelope", () => {
  it("reads this project's shape and digests the payload in canonical form", async () => {
    const { envelope } = JSON.parse(String(evidence().get("slots/a/provenance.before.json")));
    const result = await read(asText(envelope));
    expect(result.ok && result.envelope.shape === "own" && result.envelope.payload).toEqual({
      sha256: envelope.sha256_hash,
      bytes: envelope.total_payload_bytes,
    });
  });

  it("reads the recorded shape with any worker id, fractions of seconds and unknown fields", async () => {
    const result = await read(asText(recorded));
    expect(result.ok && result.envelope.shape).toBe("recorded");
  });

  it.each([
    ["worker_uuid", ""],
    ["created_at", "yesterday"],
    ["version_num", "1"],
    ["built_on_edges", [{}]],
  ])("refuses the recorded shape with %s of another form", async (field, value) => {
    const result = await read(asText({ ...recorded, [field]: value }));
    expect(!result.ok && result.why).toBe("malformed");
  });

  it("refuses what is no object, and names every field that is missing", async () => {
    expect((await readEnvelope([], null)).ok).toBe(false);
    const result = await read(Buffer.from('{"schema":"render_handoff.object.v1"}'));
    expect(!result.ok && result.why === "incomplete" && result.missing.length).toBe(19);
  });

  it("recomputes the digest of the recorded object from its raw bytes", async ({ skip }) => {
    const bytes = seed("003");
    if (bytes === null) return skip("tried 0 files: there are no recorded objects beside this project");
    const result = await read(bytes);
    if (!result.ok || result.envelope.shape !== "recorded") throw new Error("not the recorded shape");
    expect(result.envelope.payload.sha256).toBe(result.envelope.value.sha256_hash);
    expect(result.envelope.payload.bytes).toBe(result.envelope.value.total_payload_bytes);
  });

  it("reads the recorded look-ups, without holding their digests against anything", async ({ skip }) => {
    const files = ["000", "001"].map(seed).filter((bytes) => bytes !== null);
    if (files.length === 0) return skip("tried 0 files: there are no recorded look-ups beside this project");
    const results = await Promise.all(files.map(read));
    const shapes = results.map((result) => (result.ok ? result.envelope.shape : result));
    expect(shapes, `tried ${files.length} files`).toEqual(files.map(() => "lookup"));
  });
});
