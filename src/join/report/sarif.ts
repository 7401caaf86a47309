import type { Finding, JoinReport } from "../../../contracts/documents/join-report.ts";
import { harmless } from "../../core/escape.ts";
import { checkCommands, type Origin, verifyCommands } from "./reproduce.ts";
import { blamed, entryOf } from "./words.ts";

/** SARIF 2.1.0, section 3.27.10: a verdict of undecided fails as well, since nothing was accepted. */
const LEVEL = { reject: "error", undecided: "error", warning: "warning" } as const;
const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/**
 * A verdict as a SARIF 2.1.0 log, for systems that show findings beside a change: one run, a rule for each code
 * found, a result for each finding. Strings of unknown origin are harmless text in it. Paths are relative to the
 * evidence folder.
 */
export function sarifOf(report: JoinReport, origin: Origin): unknown {
  const codes = [...new Set(report.findings.map((one) => one.code))].sort();
  return {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "render-handoff join",
            semanticVersion: report.tool_version,
            rules: codes.map((code) => ruleOf(code)),
          },
        },
        invocations: [
          {
            executionSuccessful: report.verdict !== "undecided",
            endTimeUtc: report.created_at,
            commandLine: verifyCommands(report, origin).at(-1),
          },
        ],
        originalUriBaseIds: { EVIDENCE: { description: { text: "The evidence folder that was verified." } } },
        results: report.findings.map((one) => resultOf(one, { codes, report, origin })),
        properties: {
          verdict: report.verdict,
          job_id: report.job_id,
          job_sha256: report.job_sha256,
          gateway_id: report.gateway_id,
        },
      },
    ],
  };
}

function ruleOf(code: string): unknown {
  const entry = entryOf({ code });
  return {
    id: code,
    shortDescription: { text: entry?.summary ?? "Unknown code." },
    help: { text: entry?.action ?? "See docs/ERRORS.md." },
    defaultConfiguration: {
      level: entry?.kind === "finding" ? LEVEL[entry.severity] : "error",
    },
  };
}

interface Around {
  readonly codes: readonly string[];
  readonly report: JoinReport;
  readonly origin: Origin;
}

function resultOf(one: Finding, { codes, report, origin }: Around): unknown {
  const [file = "", place] = one.path.split("#");
  return {
    ruleId: one.code,
    ruleIndex: codes.indexOf(one.code),
    level: LEVEL[one.severity],
    kind: "fail",
    message: { text: messageOf(one) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: uriOf(file), uriBaseId: "EVIDENCE" } },
        ...(place === undefined
          ? {}
          : { logicalLocations: [{ fullyQualifiedName: harmless(place, 500), kind: "member" }] }),
      },
    ],
    properties: {
      blame: one.blame,
      slot: one.slot,
      frame: one.frame,
      check: checkCommands(one, report, origin),
    },
  };
}

/** Without what SARIF gives a meaning in a message: placeholders in braces and links in brackets. */
const plain = (text: string): string =>
  harmless(text, 500).replaceAll(/[{}]/g, "$&$&").replaceAll(/[[\]]/g, "\\$&");

function messageOf(one: Finding): string {
  const blame = blamed(one);
  return [
    entryOf(one)?.summary ?? "Unknown code.",
    ...(one.expected === null ? [] : [`Expected: ${plain(one.expected)}.`]),
    ...(one.actual === null ? [] : [`Found: ${plain(one.actual)}.`]),
    ...(blame === null ? [] : [`To blame: ${blame}.`]),
  ].join(" ");
}

/** A relative reference of RFC 3986; a path of the evidence may hold anything. */
const uriOf = (path: string): string => path.split("/").map(encodeURIComponent).join("/");
