import { describe, expect, it } from "vitest";
import { LATEST_FIELD, STABLE_EDGE_FIELDS, STABLE_FIELDS } from "../../../contracts/documents/object.ts";
import type { Changes, Envelope } from "../../../fixtures/evidence-maker/changes.ts";
import { PEOPLE } from "../../../fixtures/evidence-maker/documents.ts";
import { evidence } from "../../../fixtures/evidence-maker/good.ts";
import { checkGateway } from "../../../src/join/checks/gateway.ts";
import { checkProvenance } from "../../../src/join/checks/provenance.ts";
import { checkWorkers } from "../../../src/join/checks/workers.ts";
import { factsOf } from "./facts-of.ts";

/** Another value of each stable field that still has the field's form where it has more than one. */
const OTHER: Record<(typeof STABLE_FIELDS)[number], unknown> = {
  schema: "render_handoff.object.v2",
  object_key: "dusk.b",
  version_num: 2,
  category: "another",
  producer_agent: "somebody",
  worker_uuid: PEOPLE.stranger,
  source_task_id: "dusk.b",
  sha256_hash: "e".repeat(64),
  payload_hash_mode: "another",
  payload_sha256_verified: false,
  payload_json_valid: false,
  integrity_status: "unknown",
  total_payload_bytes: 1,
  created_at: "2026-03-02T10:00:42Z",
  payload: { other: true },
  built_on_edges: [],
  gateway_id: PEOPLE.otherGateway,
  fencing_token: 3,
  receipt_sha256: "e".repeat(64),
};

const inRead = (when: "before" | "after", change: (envelope: Envelope) => void): Changes => ({
  a: { [when]: (_read: Envelope, envelope: Envelope) => change(envelope) },
});

async function codesOf(changes: Changes): Promise<string[]> {
  const { facts, findings } = await factsOf(changes);
  const policy = facts.job?.value.policy;
  if (policy === undefined) throw new Error("no job");
  return [
    ...findings,
    ...checkProvenance(facts),
    ...checkWorkers(facts, policy),
    // without bundles nobody answered with them
    ...checkGateway(facts, null),
  ].map((one) => one.code);
}

describe("provenance", () => {
  it("of the good case has no finding", async () => {
    expect(await codesOf({})).toEqual([]);
  });

  const looks = ["before", "after"] as const;
  it.each(looks.flatMap((when) => STABLE_FIELDS.map((field) => ({ when, field }))))(
    "with $field changed in the look $when alone is caught",
    async ({ when, field }) => {
      const codes = await codesOf(
        inRead(when, (envelope) => {
          envelope[field] = OTHER[field];
        }),
      );
      expect(codes).not.toEqual([]);
      // a form that no reader knows is malformed; everything else is a change between the looks
      const malformed = ["schema", "category", "payload_hash_mode"].includes(field);
      expect(codes).toContain(malformed ? "JOIN_EVIDENCE_INVALID" : "JOIN_PROVENANCE_UNSTABLE");
    },
  );

  it.each([...STABLE_FIELDS, LATEST_FIELD])("without %s is incomplete", async (field) => {
    const codes = await codesOf(inRead("after", (envelope) => delete envelope[field]));
    expect(codes).toContain("JOIN_PROVENANCE_INCOMPLETE");
  });

  it.each(STABLE_EDGE_FIELDS)("with %s of an edge changed is unstable", async (field) => {
    const other = {
      target_object_key: "x",
      relation_kind: "x",
      pinned_version_num: 9,
      pinned_sha256: "e".repeat(64),
    };
    const codes = await codesOf(
      inRead("after", (envelope) => {
        Object(envelope["built_on_edges"])[0][field] = other[field];
      }),
    );
    expect(codes).toEqual(["JOIN_PROVENANCE_UNSTABLE"]);
  });

  const stable: readonly string[] = [...STABLE_FIELDS, LATEST_FIELD];
  const good: Envelope = JSON.parse(String(evidence().get("slots/a/provenance.after.json"))).envelope;
  const volatile = [...Object.keys(good).filter((field) => !stable.includes(field)), "never_seen_before"];
  it.each(volatile)("with the volatile %s changed, or gone, has no finding", async (field) => {
    expect(await codesOf(inRead("after", (envelope) => (envelope[field] = { any: ["thing", 0.5] })))).toEqual(
      [],
    );
    expect(await codesOf(inRead("before", (envelope) => delete envelope[field]))).toEqual([]);
  });

  it.each(["latest_target_version", "latest_target_sha256", "upstream_newer_version_available"])(
    "with the volatile %s of an edge changed has no finding",
    async (field) => {
      const change = (envelope: Envelope): void => {
        Object(envelope["built_on_edges"])[0][field] = "other";
      };
      expect(await codesOf(inRead("after", change))).toEqual([]);
    },
  );

  it("whose version count grew between the looks is superseded", async () => {
    const codes = await codesOf(inRead("after", (envelope) => (envelope[LATEST_FIELD] = 2)));
    expect(codes).toEqual(["JOIN_PROVENANCE_SUPERSEDED"]);
  });
});
