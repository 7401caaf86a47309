/** Containments of a render, best first. */
export const CONTAINMENTS = ["bwrap", "unshare", "process-group"] as const;

/** What `submit` writes when nothing else is asked for; schemas have no defaults. */
export const STANDARD_POLICY = {
  schema: "render_handoff.policy.v1" as const,
  distinct: "worker" as const,
  distinct_at_claim: true,
  strict_content: false,
  allow_containment: [...CONTAINMENTS],
  mixed_platforms: false,
  expect_job: null,
  expect_gateway: null,
};
