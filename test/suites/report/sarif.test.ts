import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../../src/core/clock.ts";
import { finding } from "../../../src/join/finding.ts";
import { sarifOf } from "../../../src/join/report/sarif.ts";
import { verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { folderOf } from "../../unit/join/folder-of.ts";

/** The part of SARIF 2.1.0 (OASIS) that is used here, with the names and values that the standard gives it. */
const Message = z.strictObject({ text: z.string().min(1) });
const Level = z.enum(["none", "note", "warning", "error"]);
const Bag = z.record(z.string(), z.json());
const Location = z.strictObject({
  physicalLocation: z.strictObject({
    artifactLocation: z.strictObject({ uri: z.string(), uriBaseId: z.string() }),
  }),
  logicalLocations: z.array(z.strictObject({ fullyQualifiedName: z.string(), kind: z.string() })).optional(),
});
const Log = z.strictObject({
  $schema: z.url(),
  version: z.literal("2.1.0"),
  runs: z
    .array(
      z.strictObject({
        tool: z.strictObject({
          driver: z.strictObject({
            name: z.string().min(1),
            semanticVersion: z.string().regex(/^\d+\.\d+\.\d+$/),
            rules: z.array(
              z.strictObject({
                id: z.string().min(1),
                shortDescription: Message,
                help: Message,
                defaultConfiguration: z.strictObject({ level: Level }),
              }),
            ),
          }),
        }),
        invocations: z.array(
          z.strictObject({
            executionSuccessful: z.boolean(),
            endTimeUtc: z.iso.datetime(),
            commandLine: z.string(),
          }),
        ),
        originalUriBaseIds: z.record(z.string(), z.strictObject({ description: Message })),
        results: z.array(
          z.strictObject({
            ruleId: z.string(),
            ruleIndex: z.int().min(0),
            level: Level,
            kind: z.enum(["notApplicable", "pass", "fail", "review", "open", "informational"]),
            message: Message,
            locations: z.array(Location).length(1),
            properties: Bag,
          }),
        ),
        properties: Bag,
      }),
    )
    .length(1),
});

async function logOf(args: string[]): Promise<z.infer<typeof Log>["runs"][number]> {
  const file = join(await temporaryFolder(), "findings.sarif");
  await runCli("join", ["verify", ...args, "--sarif", file]);
  const [run] = Log.parse(JSON.parse(await readFile(file, "utf8"))).runs;
  if (run === undefined) throw new Error("no run");
  return run;
}

test("a SARIF log has a result for each finding, and a rule for each of their codes", async () => {
  const evidence = await folderOf({
    b: { manifest: (manifest) => (manifest.containment = "process-group") },
    late: (files) => files.set("slots/a/odd #name%.txt", Buffer.from("x")),
  });
  const run = await logOf([evidence]);
  expect(run.results).toHaveLength(2);
  for (const result of run.results) {
    expect(run.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
    expect([result.level, Array.isArray(result.properties["check"])]).toEqual(["error", true]);
    const uri = result.locations[0]?.physicalLocation.artifactLocation.uri ?? "";
    expect(new URL(uri, "file:///evidence/").hash).toBe("");
  }
  expect(run.properties["verdict"]).toBe("rejected");
});

test("a SARIF log of an undecided job did not end well, and gives no string of others a meaning", async () => {
  const folder = await folderOf({ late: (files) => files.delete("gateway.json") });
  const { report } = await verifyEvidence({ folder, clock: systemClock });
  const actual = "[a](http://b) {0}\u202e";
  const findings = [...report.findings, finding("JOIN_JOB_MISMATCH", { path: "job.json#/x", actual })];
  const [run] = Log.parse(sarifOf({ ...report, findings }, { evidence: "e" })).runs;
  expect(run?.invocations[0]?.executionSuccessful).toBe(false);
  expect(run?.results.at(-1)?.message.text).toContain("\\[a\\](http://b) {{0}}\\u{{202e}}");
});
