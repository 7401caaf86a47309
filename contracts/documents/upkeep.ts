import { z } from "zod";
import { Count, GatewayId, Positive, Sha256, Timestamp } from "../names.ts";

const File = z.strictObject({ sha256: Sha256, bytes: Count });

/** `manifest.json` of a backup: every other file of the folder. Blobs lie in `blobs/`, by digest. */
export const BackupManifest = z.strictObject({
  schema: z.literal("render_handoff.backup_manifest.v1"),
  tool_version: z.string(),
  created_at: Timestamp,
  gateway_id: GatewayId,
  schema_version: Positive.describe("of the database"),
  database: File,
  admin_token: File.nullable().describe("null where it was left out"),
  blobs: z.array(File),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

/** What `gateway check` found. */
export const CheckReport = z.strictObject({
  schema: z.literal("render_handoff.check_report.v1"),
  gateway_id: z.string(),
  ok: z.boolean(),
  checked: z.strictObject({
    tasks: Count,
    jobs: Count,
    receipts: Count,
    objects: Count,
    verdicts: Count,
    blobs: Count,
    blob_bytes: Count.describe("bytes that were read and digested"),
  }),
  findings: z.array(
    z.strictObject({
      code: z.string(),
      where: z.string(),
      expected: z.string().nullable(),
      actual: z.string().nullable(),
    }),
  ),
  findings_left_out: Count,
});
export type CheckReport = z.infer<typeof CheckReport>;
