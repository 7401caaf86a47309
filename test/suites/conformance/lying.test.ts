import { expect, test } from "vitest";
import type { RuleVerdict } from "../../../contracts/documents/conformance.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { type Alter, behindProxy, type Fate, type Passing } from "../../support/fault-proxy.ts";
import { play } from "./play.ts";

// A sound gateway behind a proxy that lies about one thing: a rule that meets the lie must name it.

/** The rule's verdict on a gateway that lies so. */
async function judged(rule: string, decide: (passing: Passing) => Fate): Promise<RuleVerdict | undefined> {
  const { gateway, proxy } = await behindProxy(decide);
  const { rules } = await play({ url: proxy.url, adminToken: gateway.adminToken }, [rule]);
  return rules[0];
}

const OTHER = "w_00000000-0000-4000-8000-000000000000";

/** Changes members of a 200's JSON; an undefined one is taken out. */
const members =
  (change: Record<string, unknown>): Alter =>
  (answer) =>
    answer.status >= 300
      ? answer
      : { ...answer, body: Buffer.from(JSON.stringify({ ...JSON.parse(String(answer.body)), ...change })) };

const header =
  (name: string, value: string | null): Alter =>
  (answer) => {
    const { [name]: there, ...headers } = answer.headers;
    return there === undefined || value === null
      ? { ...answer, headers }
      : { ...answer, headers: { ...headers, [name]: value } };
  };

interface Lie {
  /** Beginning of the path. */
  readonly of: string;
  readonly lie: Alter;
  readonly rule: string;
  /** What the verdict must name. */
  readonly named: string;
}
const LIES: readonly Lie[] = [
  ...["payload", "task_id", "worker_id", "lease_expires_at"].map((name) => ({
    of: "/q/claim",
    lie: members({ [name]: undefined }),
    rule: "CLAIM-03",
    named: `/${name}`,
  })),
  { of: "/q/claim", lie: members({ more: 1 }), rule: "CLAIM-03", named: "more" },
  { of: "/q/claim", lie: members({ worker_id: OTHER }), rule: "CLAIM-01", named: "worker_id" },
  { of: "/q/claim", lie: members({ payload: { work: 2 } }), rule: "CLAIM-03", named: "payload" },
  { of: "/q/claim", lie: members({ lease_seconds: 601 }), rule: "CLAIM-03", named: "lease_seconds" },
  {
    of: "/q/heartbeat",
    lie: members({ lease_expires_at: undefined }),
    rule: "FENCE-04",
    named: "/lease_expires_at",
  },
  ...Object.entries({
    task_id: "another.task",
    worker_id: OTHER,
    idempotency_key: "somebody-elses",
    fencing_token: 2,
    lease_expires_at: "1999-01-01T00:00:00Z",
    request_sha256: "0".repeat(64),
    result_sha256: "0".repeat(64),
  }).map(([name, value]) => ({
    of: "/q/submit",
    lie: members({ [name]: value }),
    rule: "SUBMIT-02",
    named: name,
  })),
  { of: "/q/claim", lie: header("retry-after", "86400"), rule: "CLAIM-02", named: "Retry-After" },
  { of: "/q/claim", lie: header("retry-after", "86400"), rule: "CLAIM-01", named: "Retry-After" },
  { of: "/q/claim", lie: header("retry-after", null), rule: "CLAIM-04", named: "Retry-After" },
  {
    of: "/q/task",
    lie: header("render-handoff-gateway", null),
    rule: "FENCE-01",
    named: "Render-Handoff-Gateway is absent",
  },
  {
    of: "/q/task",
    lie: header("render-handoff-gateway", "g_00000000-0000-4000-8000-000000000000"),
    rule: "FENCE-01",
    named: "Render-Handoff-Gateway is g_00000000",
  },
  { of: "/q/task", lie: members({ worker_id: OTHER }), rule: "FENCE-02", named: "worker_id" },
  { of: "/q/enqueue", lie: members({ created: false }), rule: "ENQUEUE-02", named: "created" },
  { of: "/q/job", lie: members({ job_sha256: "0".repeat(64) }), rule: "ENQUEUE-03", named: "job_sha256" },
  { of: "/q/reopen", lie: members({ state: undefined }), rule: "REOPEN-03", named: "/state" },
  {
    of: "/q/verdict",
    lie: members({ sha256_hash: "0".repeat(64) }),
    rule: "VERDICT-01",
    named: "sha256_hash",
  },
  {
    of: "/q/claim",
    lie: (answer) => (answer.status === 409 ? { ...answer, status: 423 } : answer),
    rule: "CLAIM-04",
    named: "status",
  },
];

test.each(LIES)("$of: $rule notices that $named is wrong", async ({ of, lie, rule, named }) => {
  const verdict = await judged(rule, ({ path }) => (path.startsWith(of) ? lie : "pass"));
  expect(verdict).toMatchObject({ rule, verdict: "failed" });
  expect(verdict?.detail).toContain(named);
});

test.each([
  ["/q/tasks", "READ-01", "read_tasks"],
  ["/q/job/", "READ-02", "read_job"],
  ["/q/object", "READ-03", "read_object"],
  ["/q/events", "READ-04", "read_events"],
  ["/q/blob", "BLOB-03", "read_blob"],
])("a gateway without GET %s fails %s", async (start, rule, step) => {
  const verdict = await judged(rule, ({ method, path }) =>
    method === "GET" && path.startsWith(start) ? { status: 404, body: "{}" } : "pass",
  );
  expect(verdict?.verdict).toBe("failed");
  expect(verdict?.detail).toContain(`(${step}`);
});

const digestOf =
  (canonical: (result: unknown, text: string) => string): Alter =>
  (answer, sent) => {
    const text = String(sent);
    const result = text.slice(text.indexOf('"result":') + '"result":'.length, -1);
    return members({ result_sha256: sha256(canonical(JSON.parse(result), result)) })(answer, sent);
  };
/** Canonical but for the order of the keys. */
const byCodePoint = (result: unknown): string =>
  `{${Object.entries(Object(result))
    .toSorted(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(",")}}`;

test.each([
  ["number-forms", "numbers in many forms", digestOf((_, text) => text)],
  ["astral-key-order", "keys beyond ASCII", digestOf(byCodePoint)],
])("a gateway with the reference's %s fails SUBMIT-03", async (_, title, lie) => {
  const verdict = await judged("SUBMIT-03", ({ path, before }) =>
    path === "/q/submit" && before === (title.startsWith("numbers") ? 2 : 3) ? lie : "pass",
  );
  expect(verdict?.detail).toContain(title);
  expect(verdict?.detail).toContain("result_sha256");
});

test("a replayed claim with the expiry of the first answer fails CLAIM-04", async () => {
  const first = new Map<string, Buffer>();
  const stale: Alter = (answer, sent) => {
    const body = first.get(String(sent)) ?? answer.body;
    if (answer.status === 200) first.set(String(sent), body);
    return answer.status === 200 ? { ...answer, body } : answer;
  };
  const verdict = await judged("CLAIM-04", ({ path }) => (path === "/q/claim" ? stale : "pass"));
  expect(verdict?.detail).toContain("lease_expires_at");
});

test("an object whose digest is not that of its result fails READ-03", async () => {
  const lie = members({ sha256_hash: "0".repeat(64) });
  const verdict = await judged("READ-03", ({ path }) => (path.startsWith("/q/object") ? lie : "pass"));
  expect(verdict?.detail).toContain("sha256_hash is 000");
});

test.each([
  ["BLOB-01", "blob_digest_mismatch"],
  ["SUBMIT-06", "idempotency_key_invalid"],
  ["SUBMIT-05", "blob_missing"],
])("a gateway that never answers %s's %s fails it", async (rule, code) => {
  const lie: Alter = (answer) =>
    String(answer.body).includes(`error:${code}`)
      ? { ...answer, status: 200, body: Buffer.from("{}") }
      : answer;
  const verdict = await judged(rule, () => lie);
  expect(verdict?.detail).toContain(`code is ok, expected ${code}`);
});

test("a gateway that keeps half an upload fails BLOB-02", async () => {
  const kept: Alter = (answer) => ({ ...answer, status: 200, body: Buffer.from("half") });
  const verdict = await judged("BLOB-02", ({ method, path }) => {
    if (method === "PUT") return "cut";
    return path.startsWith("/q/blob") ? kept : "pass";
  });
  expect(verdict?.detail).toContain("code is ok, expected blob_unknown");
});
