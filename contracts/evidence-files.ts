/** Paths of an evidence folder, relative, `/` between parts. */
export const EVIDENCE_FILES = [
  "gateway.json",
  "job.json",
  ...(["a", "b"] as const).flatMap((slot) =>
    [
      "bundle.zip",
      "provenance.after.json",
      "provenance.before.json",
      "receipt.json",
      "request.json",
      "task.json",
    ].map((name) => `slots/${slot}/${name}`),
  ),
] as const;
export const EVIDENCE_INDEX = "evidence.json";
