import { alternatives, type CommandShape, choicesOf, knownPaths, valueBranches } from "./shape.ts";

/** Completion for zsh: a file `_render-handoff` in a folder of $fpath, or sourced after compinit. */
export function zshCompletion(shapes: readonly CommandShape[]): string {
  return `#compdef render-handoff join render-child
# zsh completion of render-handoff, join and render-child.
#   source <(render-handoff completion zsh)
_render_handoff() {
  local at=\${words[1]:t} value='' argument='' word i
  local -a commands flags left
  local prev=\${words[CURRENT-1]}
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${alternatives(knownPaths(shapes))}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at" in
${shapes.map(branch).join("\n")}
  esac
  case "$value" in
    path) _files; return ;;
    text) return 1 ;;
    ?*) left=(\${=value}); _describe value left; return ;;
  esac
  for word in $flags; do
    (( \${words[(I)\${word%%:*}]} )) || left+=("$word") # each flag is given once
  done
  [[ -z $commands ]] || _describe command commands
  [[ \${words[CURRENT]} != -* && $argument == path ]] && _files
  _describe flag left
}
if [[ \${funcstack[1]} == _render-handoff ]]; then
  _render_handoff "$@" # autoloaded as a file of $fpath
else
  compdef _render_handoff render-handoff join render-child
fi
`;
}

function branch(shape: CommandShape): string {
  const flags = shape.flags.map((flag) => described(flag.long, flag.description));
  const commands = [
    ...shape.commands.map(({ name, description }) => described(name, description)),
    ...choicesOf(shape.argument).map((choice) => described(choice, "")),
  ];
  const values = valueBranches(shape.flags);
  return [
    `    ${alternatives(shape.paths)})`,
    `      commands=(${commands.join(" ")})`,
    `      flags=(${flags.join(" ")})`,
    ...(shape.argument?.kind === "path" ? ["      argument=path"] : []),
    ...(values.length === 0 ? [] : ['      case "$prev" in', ...values, "      esac"]),
    "      ;;",
  ].join("\n");
}

/** `name:description` in single quotes, as _describe takes it. */
const described = (name: string, description: string): string =>
  `'${description === "" ? name : `${name}:${description.replaceAll("'", "'\\''")}`}'`;
