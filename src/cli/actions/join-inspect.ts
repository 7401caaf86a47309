import { EXIT, type ExitCode } from "../../../contracts/codes/entry.ts";
import type { Inspection } from "../../../contracts/documents/inspection.ts";
import { HandoffError } from "../../core/error.ts";
import { openDecoders } from "../../join/decode/open-decoders.ts";
import { inspectFile } from "../../join/inspect.ts";
import { inspectionLine } from "../../join/inspection-line.ts";
import type { CliContext } from "../context.ts";
import type { JoinInspectFlags } from "../flags/join.ts";
import { pathsFrom } from "../paths-from.ts";
import { withDecoders } from "../with-decoders.ts";

type Path = string | Uint8Array;

interface Call {
  readonly files: readonly string[];
  readonly flags: JoinInspectFlags;
  readonly context: CliContext;
}

/** Enough that no decoder waits for work; few enough that thousands of paths take no memory. */
const AHEAD = 16;

/** One line a file, in the order given, each as soon as it is known and those before it are told. */
export async function joinInspect({ files, flags, context }: Call): Promise<void> {
  if ((flags.stdin0 === true) === files.length > 0)
    throw new HandoffError("USAGE_ARGUMENT", "Give files or --stdin0, one of them.");
  const counts = { ok: 0, reject: 0, undecided: 0 };
  const tell = (inspection: Inspection): void => {
    counts[inspection.verdict] += 1;
    context.out(flags.json ? `${JSON.stringify(inspection)}\n` : inspectionLine(inspection));
  };
  const paths = flags.stdin0 === true ? pathsFrom(context.input) : files;
  const { frame = null, members = null } = flags;
  await withDecoders(openDecoders({}, context.clock), context, (decoders) =>
    inOrder(paths, { begin: (path) => inspectFile({ path, frame, members }, decoders), tell, context }),
  );
  const { ok, reject, undecided } = counts;
  const all = ok + reject + undecided;
  if (all !== 1) context.err(`${all} files: ${ok} ok, ${reject} reject, ${undecided} undecided\n`);
  context.setExit(exitOf(counts));
}

interface Work {
  begin(path: Path): Promise<Inspection>;
  tell(inspection: Inspection): void;
  readonly context: CliContext;
}

/** Begins some files ahead. What comes after a signal is not told: it was broken off. */
async function inOrder(
  paths: AsyncIterable<Path> | Iterable<Path>,
  { begin, tell, context: { signal } }: Work,
): Promise<void> {
  const telling: Promise<void>[] = [];
  for await (const path of paths) {
    signal.throwIfAborted();
    const before = telling.at(-1);
    const told = begin(path).then(async (inspection) => {
      await before;
      signal.throwIfAborted();
      tell(inspection);
    });
    told.catch(() => {}); // the loop below meets it, unless something else ends the command first
    telling.push(told);
    if (telling.length > AHEAD) await telling.shift();
  }
  await Promise.all(telling);
}

/** Always 3 for undecided, also where verify says 4: without a job a file may still be looked at with more memory. */
const exitOf = ({ reject, undecided }: Record<Inspection["verdict"], number>): ExitCode =>
  reject > 0 ? EXIT.rejected : undecided > 0 ? EXIT.retry : EXIT.ok;
