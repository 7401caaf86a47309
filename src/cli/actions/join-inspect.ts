import { EXIT, type ExitCode } from "../../../contracts/codes/entry.ts";
import type { Inspection } from "../../../contracts/documents/inspection.ts";
import { HandoffError } from "../../core/error.ts";
import { openDecoders } from "../../join/decode/open-decoders.ts";
import type { Decoders } from "../../join/decode/run-plan.ts";
import { inspectFile } from "../../join/inspect.ts";
import { inspectionLine } from "../../join/inspection-line.ts";
import type { CliContext } from "../context.ts";
import type { JoinInspectFlags } from "../flags/join.ts";
import { pathsFrom } from "../paths-from.ts";

type Path = string | Uint8Array;

interface Call {
  readonly files: readonly string[];
  readonly flags: JoinInspectFlags;
  readonly context: CliContext;
}

/** Enough that no decoder waits for work; few enough that thousands of paths take no memory. */
const AHEAD = 32;

/** One line a file, in the order given, while later files are looked at. */
export async function joinInspect({ files, flags, context }: Call): Promise<void> {
  if ((flags.stdin0 === true) === files.length > 0)
    throw new HandoffError("USAGE_ARGUMENT", "Give files or --stdin0, one of them.");
  const decoders = openDecoders({}, context.clock);
  const counts = { ok: 0, reject: 0, undecided: 0 };
  try {
    const paths = flags.stdin0 === true ? pathsFrom(context.input) : files;
    for await (const inspection of inspections(paths, { flags, decoders, context })) {
      counts[inspection.verdict] += 1;
      context.out(flags.json ? `${JSON.stringify(inspection)}\n` : inspectionLine(inspection));
    }
  } finally {
    await decoders.close();
  }
  const { ok, reject, undecided } = counts;
  const all = ok + reject + undecided;
  if (all !== 1) context.err(`${all} files: ${ok} ok, ${reject} reject, ${undecided} undecided\n`);
  context.setExit(exitOf(counts));
}

async function* inspections(
  paths: AsyncIterable<Path> | Iterable<Path>,
  { flags, decoders, context }: { flags: JoinInspectFlags; decoders: Decoders; context: CliContext },
): AsyncGenerator<Inspection> {
  const begun: Promise<Inspection>[] = [];
  for await (const path of paths) {
    context.signal.throwIfAborted();
    begun.push(inspectFile({ path, frame: flags.frame ?? null, members: flags.members ?? null }, decoders));
    const first = begun.length > AHEAD ? begun.shift() : undefined;
    if (first !== undefined) yield await first;
  }
  for (const one of begun) {
    context.signal.throwIfAborted();
    yield await one;
  }
}

/** Always 3 for undecided, also where verify says 4: without a job a file may still be looked at with more memory. */
const exitOf = ({ reject, undecided }: Record<Inspection["verdict"], number>): ExitCode =>
  reject > 0 ? EXIT.rejected : undecided > 0 ? EXIT.retry : EXIT.ok;
