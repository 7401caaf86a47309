// Verifies evidence folders: node verify-evidence.mjs FOLDER…  Exits 1 unless all of them are accepted.
import { systemClock as clock, openDecoders, verifyEvidence } from "render-handoff/join";

const decoders = openDecoders({}, clock); // one pair of threads for all folders
for (const folder of process.argv.slice(2)) {
  const { report } = await verifyEvidence({ folder, clock, decoders });
  console.log(`${report.verdict}  ${report.job_id ?? "no job"}  ${folder}`);
  for (const { code, severity, path, expected, actual } of report.findings)
    console.log(`  ${severity} ${code} at ${path}: expected ${expected}, found ${actual}`);
  if (report.verdict !== "accepted") process.exitCode = 1;
}
await decoders.close();
