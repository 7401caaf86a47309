import { type CommandShape, choicesOf, type FlagShape, knownPaths } from "./shape.ts";

/** Completion for fish: a file in ~/.config/fish/completions, or piped into `source`. */
export function fishCompletion(shapes: readonly CommandShape[]): string {
  return `# fish completion of render-handoff, join and render-child.
#   render-handoff completion fish | source
function __render_handoff_at
    set -l words (commandline -opc)
    set -l at (basename -- $words[1])
    for word in $words[2..-1]
        if contains -- "$at $word" ${knownPaths(shapes).map(text).join(" ")}
            set at "$at $word"
        end
    end
    contains -- "$at" $argv
end
${[...new Set(shapes.flatMap(({ paths }) => paths.map(programOf)))].map((program) => `complete -c ${program} -f`).join("\n")}
${shapes.flatMap(linesOf).join("\n")}
`;
}

const programOf = (path: string): string => path.split(" ")[0] ?? "";
const text = (value: string): string => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** The lines of one command, for each program that reaches it. */
function linesOf(shape: CommandShape): string[] {
  return shape.paths.flatMap((path) => {
    const start = `complete -c ${programOf(path)} -n "__render_handoff_at ${text(path)}"`;
    return [
      ...shape.commands.map(({ name, description }) => `${start} -a ${name} -d ${text(description)}`),
      ...choicesOf(shape.argument).map((choice) => `${start} -a ${choice}`),
      ...(shape.argument?.kind === "path" ? [`${start} -F`] : []),
      ...shape.flags.map((flag) => `${start} ${flagParts(flag)}`),
    ];
  });
}

function flagParts(flag: FlagShape): string {
  const { value } = flag;
  return [
    flag.short === null ? null : `-s ${flag.short.slice(1)}`,
    `-l ${flag.long.slice(2)}`,
    value === null ? null : value.kind === "path" ? "-r -F" : "-x",
    value?.kind === "choice" ? `-a ${text(value.choices.join(" "))}` : null,
    `-d ${text(flag.description)}`,
  ]
    .filter((part) => part !== null)
    .join(" ");
}
