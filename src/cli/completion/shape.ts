import type { Argument, Command, Option } from "commander";

/** What may follow: words to choose from, a path, or something that no shell can know. */
export type Value =
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "path" }
  | { readonly kind: "text" };

export interface FlagShape {
  readonly long: string;
  readonly short: string | null;
  readonly description: string;
  /** null: the flag takes no value. */
  readonly value: Value | null;
}

export interface CommandShape {
  /** How the command is reached: `render-handoff join verify` and, as a program of its own, `join verify`. */
  readonly paths: readonly string[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly FlagShape[];
  /** What its arguments are; null where it takes none. */
  readonly argument: Value | null;
}

/** Commands of the main program that are installed as programs of their own too. */
const OWN_PROGRAMS: readonly string[] = ["join", "render-child"];
const PATH_NAMES = /^(file|dir|path|newdir|scene|evidence|folders|files)$/;

/** The tree of the main program, flat: the one definition that completions and man pages are made from. */
export function shapesOf(root: Command): CommandShape[] {
  return [...walk(root, [root.name()])];
}

function* walk(command: Command, path: readonly string[]): Generator<CommandShape> {
  const helper = command.createHelp();
  const visible = helper.visibleCommands(command);
  yield {
    paths: OWN_PROGRAMS.includes(path[1] ?? "")
      ? [path.join(" "), path.slice(1).join(" ")]
      : [path.join(" ")],
    commands: visible.map((sub) => ({ name: sub.name(), description: sub.description() })),
    flags: helper.visibleOptions(command).map(flagOf),
    argument: argumentOf(command.registeredArguments),
  };
  for (const sub of command.commands) yield* walk(sub, [...path, sub.name()]);
}

const flagOf = (option: Option): FlagShape => ({
  long: option.long ?? "",
  short: option.short ?? null,
  description: option.description,
  value: option.required || option.optional ? valueFrom(option.argChoices, option.flags) : null,
});

const argumentOf = ([first]: readonly Argument[]): Value | null =>
  first === undefined ? null : valueFrom(first.argChoices, `<${first.name()}>`);

function valueFrom(choices: readonly string[] | undefined, flags: string): Value {
  if (choices !== undefined) return { kind: "choice", choices };
  const name = /<([\w-]+)/.exec(flags)?.[1] ?? "";
  return PATH_NAMES.test(name) ? { kind: "path" } : { kind: "text" };
}

/** Every path below the main program, as `render-handoff join verify`; `help` is followed by commands itself. */
export const knownPaths = (shapes: readonly CommandShape[]): string[] =>
  shapes.flatMap(({ paths, commands }) =>
    paths.flatMap((path) =>
      commands.filter(({ name }) => name !== "help").map(({ name }) => `${path} ${name}`),
    ),
  );

/** In a shell's double quotes, as alternatives of a pattern. */
export const alternatives = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join("|");

/** The lines of a shell's `case` that tell what may follow a flag: choices, `path` or `text`. */
export const valueBranches = (flags: readonly FlagShape[]): string[] =>
  flags.flatMap(({ long, value }) =>
    value === null
      ? []
      : [`        ${long}) value="${value.kind === "choice" ? value.choices.join(" ") : value.kind}" ;;`],
  );

export const choicesOf = (value: Value | null): readonly string[] =>
  value?.kind === "choice" ? value.choices : [];
