import { Command, InvalidArgumentError, Option } from "commander";
import { BIT_DEPTHS, COLOR_MODES, COLOR_TYPE } from "../../../contracts/frame-names.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import type { FrameSpec } from "../../frame/spec.ts";
import type { CliContext } from "../context.ts";
import type { JoinInspectFlags } from "../flags/join.ts";
import { options } from "../options.ts";

export const inspectCommand = (context: CliContext): Command =>
  new Command("inspect")
    .description("Checks PNG frames and bundles as strictly as verify does, without a job.")
    .argument("[file...]", "PNG files and bundles, as many as you like")
    .option("--stdin0", "read paths from stdin, each ended by a NUL byte, as find -print0 writes them")
    .addOption(new Option("--frame <spec>", "what each frame must be: 640x360:RGBA:8").argParser(frameSpec))
    .addOption(
      new Option("--members <list>", "exactly what each bundle must hold, separated by commas").argParser(
        memberList,
      ),
    )
    .addOption(options.json())
    .addHelpText(
      "after",
      `
Examples:
  $ join inspect frame_0205.png bundle.zip
  $ find render -name '*.png' -print0 | join inspect --stdin0 --frame 1920x1080:RGBA:8
  $ join inspect bundle.zip --members frame_0205.png,frame_0206.png,frame_0207.png,manifest.json --json

One line a file: verdict, kind, path, then each code with its first place. Without --frame any size is taken;
formats that are not handed over (palette, grey with alpha, 1 to 4 bit, interlaced) are PNG_FORMAT.

Exit codes: 0 all ok; 1 any rejected; 2 usage; 3 any undecided, and none rejected.`,
    )
    .action(async (files: string[], flags: JoinInspectFlags) =>
      (await import("../actions/join-inspect.ts")).joinInspect({ files, flags, context }),
    );

/** `WIDTHxHEIGHT:BW|RGB|RGBA:8|16`. */
export function frameSpec(value: string): FrameSpec {
  const match = /^([1-9]\d{0,4})x([1-9]\d{0,4}):([A-Z]+):(\d+)$/.exec(value);
  const [width, height] = [Number(match?.[1]), Number(match?.[2])];
  const mode = COLOR_MODES.find((one) => one === match?.[3]);
  const bitDepth = BIT_DEPTHS.find((one) => String(one) === match?.[4]);
  if (mode === undefined || bitDepth === undefined || Math.max(width, height) > LIMITS.frameSide)
    throw new InvalidArgumentError(
      `Not of the form WIDTHxHEIGHT:BW|RGB|RGBA:8|16 with sides of at most ${LIMITS.frameSide}, as in 640x360:RGBA:8.`,
    );
  return { width, height, colorType: COLOR_TYPE[mode], bitDepth };
}

/** Names separated by commas, each once. */
export function memberList(value: string): string[] {
  const members = value.split(",");
  if (members.some((name) => name === "") || new Set(members).size < members.length)
    throw new InvalidArgumentError("Names are separated by single commas, and each stands once.");
  return members;
}
