import { expect, test } from "vitest";
import type { RuleVerdict } from "../../../contracts/documents/conformance.ts";
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
