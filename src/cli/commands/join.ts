import { Command, Option } from "commander";
import type { CliContext } from "../context.ts";
import type { JoinCollectFlags, JoinVerifyFlags } from "../flags/join.ts";
import { options, path } from "../options.ts";
import { inspectCommand } from "./join-inspect.ts";

export const joinCommand = (context: CliContext): Command =>
  new Command("join")
    .description("Decides whether the two halves are good and belong together.")
    .addCommand(verifyCommand(context))
    .addCommand(collectCommand(context))
    .addCommand(inspectCommand(context));

const verifyCommand = (context: CliContext): Command =>
  new Command("verify")
    .description("Verifies evidence folders, or collects a job's evidence from a gateway and verifies it.")
    .argument("[evidence...]", "evidence folders", (value: string, previous: string[] = []) => [
      ...previous,
      path(value),
    ])
    .option("--job <id>", "the job to collect, with --gateway and --token-file")
    .addOption(options.gateway())
    .addOption(options.tokenFile())
    .addOption(options.allowInsecure())
    .addOption(
      new Option("--out <dir>", "where an accepted sequence is assembled; must not exist yet").argParser(
        path,
      ),
    )
    .addOption(new Option("--policy <file>", "policy to use instead of the job's").argParser(path))
    .option("--strict-content", "content warnings reject")
    .option("--second-decoder", "pngjs decodes each frame too, and must see the same pixels")
    .addOption(options.expectJob())
    .addOption(options.expectGateway())
    .addOption(
      new Option(
        "--report <file>",
        "where to write join-report.json as well, whatever the verdict",
      ).argParser(path),
    )
    .addOption(
      new Option(
        "--html <file>",
        "where to write the report as a page as well, whatever the verdict",
      ).argParser(path),
    )
    .addOption(
      new Option(
        "--sarif <file>",
        "where to write the findings as SARIF 2.1.0, whatever the verdict",
      ).argParser(path),
    )
    .option("--post", "store the verdict at the gateway (--report, --gateway, --token-file)")
    .option(
      "--reopen-rejected",
      "after a rejection, give the guilty slot out again (--post, --job, --admin-token-file)",
    )
    .addOption(options.adminTokenFile())
    .addOption(options.json())
    .addHelpText(
      "after",
      `
Examples:
  $ join verify --job shot-12 --gateway http://127.0.0.1:8140 --token-file checker.token --out shot-12
  $ join verify evidence/shot-12 --expect-job 3f2a… --json
  $ join verify evidence/shot-12 --html report.html --sarif findings.sarif
  $ join verify --job shot-12 --gateway http://127.0.0.1:8140 --token-file checker.token --out shot-12 \\
      --report join-report.json --post --reopen-rejected --admin-token-file admin.token

Exit codes: 0 accepted; 1 rejected; 2 usage; 3 undecided, a retry can help; 4 undecided, it cannot.
With many folders the worst one counts, 1 before 4 before 3, and each is named: a line above its text, or with
--json a line {"evidence": FOLDER, "report": REPORT} for each. Of one folder --json is the report itself.
A verdict that could not be posted is written all the same; then it is 3 or 4, with the code of what stood in
the way.`,
    )
    .action(async (evidence: string[], flags: JoinVerifyFlags) =>
      (await import("../actions/join-verify.ts")).joinVerify({ evidence, flags, context }),
    );

const collectCommand = (context: CliContext): Command =>
  new Command("collect")
    .description(
      "Collects everything that a verdict needs into an evidence folder, to be verified anywhere, offline.",
    )
    .requiredOption("--job <id>", "the job to collect")
    .addOption(options.gateway().makeOptionMandatory())
    .addOption(options.tokenFile().makeOptionMandatory())
    .addOption(options.allowInsecure())
    .addOption(
      new Option("--out <dir>", "the evidence folder; must not exist yet")
        .argParser(path)
        .makeOptionMandatory(),
    )
    .addOption(options.json())
    .addHelpText(
      "after",
      "\nExample:\n  $ join collect --job shot-12 --gateway http://127.0.0.1:8140 --token-file checker.token --out evidence/shot-12",
    )
    .action(async (flags: JoinCollectFlags) =>
      (await import("../actions/join-collect.ts")).joinCollect(flags, context),
    );
