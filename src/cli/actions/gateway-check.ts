import { EXIT } from "../../../contracts/codes/entry.ts";
import type { CheckReport } from "../../../contracts/documents/upkeep.ts";
import { HandoffError } from "../../core/error.ts";
import { harmless } from "../../core/escape.ts";
import { checkGateway } from "../../gateway/upkeep/check.ts";
import type { CliContext } from "../context.ts";
import type { CheckFlags } from "../flags/gateway.ts";

/** Checks a gateway's data; exit code 1 when something is wrong with them. */
export async function gatewayCheck(flags: CheckFlags, context: CliContext): Promise<void> {
  if (flags.data === undefined && (flags.store === undefined || flags.blobs === undefined))
    throw new HandoffError("USAGE_ARGUMENT", "Give --data, or --store and --blobs.");
  const report = await checkGateway({
    dataFolder: flags.data ?? null,
    storeUrl: flags.store ?? null,
    blobsUrl: flags.blobs ?? null,
    quick: flags.quick === true,
    clock: context.clock,
  });
  context.out(flags.json ? `${JSON.stringify(report)}\n` : told(report));
  if (!report.ok) context.setExit(EXIT.rejected);
}

function told({ checked, findings, findings_left_out, ok }: CheckReport): string {
  const { tasks, jobs, receipts, objects, verdicts, blobs, blob_bytes } = checked;
  const lines = findings.map(({ code, where, expected, actual }) =>
    [code, where, expected === null ? "" : `expected ${expected}`, actual === null ? "" : `found ${actual}`]
      .filter((part) => part !== "")
      .map((part) => harmless(part, 300))
      .join("  "),
  );
  if (findings_left_out > 0) lines.push(`and ${findings_left_out} more`);
  lines.push(
    `${ok ? "sound" : "damaged"}: ${jobs} jobs, ${tasks} tasks, ${receipts} receipts, ${objects} objects, ${verdicts} verdicts, ${blobs} blobs (${blob_bytes} bytes read)`,
  );
  return `${lines.join("\n")}\n`;
}
