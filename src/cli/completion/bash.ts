import { alternatives, type CommandShape, choicesOf, knownPaths, valueBranches } from "./shape.ts";

/** Completion for bash 4.4 and newer; needs nothing installed. */
export function bashCompletion(shapes: readonly CommandShape[]): string {
  return `# bash completion of render-handoff, join and render-child.
#   source <(render-handoff completion bash)
_render_handoff() {
  local at word words value i
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  [[ $cur == = ]] && cur=
  [[ $prev == = ]] && prev=\${COMP_WORDS[COMP_CWORD - 2]}
  at=\${COMP_WORDS[0]##*/}
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${alternatives(knownPaths(shapes))}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  value=
  case "$at" in
${shapes.map(branch).join("\n")}
  esac
  # a path: bash's own completion takes over; anything else: nothing is known
  case "$value" in
    path) COMPREPLY=(); return ;;
    text) COMPREPLY=(); compopt +o default 2>/dev/null; return ;;
    ?*) COMPREPLY=($(compgen -W "$value" -- "$cur")); return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == --* ]] && words=\${words/ $word / } # each flag is given once
  done
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _render_handoff render-handoff join render-child
`;
}

function branch(shape: CommandShape): string {
  const values = valueBranches(shape.flags);
  const words = [
    ...shape.commands.map(({ name }) => name),
    ...choicesOf(shape.argument),
    ...shape.flags.map(({ long }) => long),
  ];
  return [
    `    ${alternatives(shape.paths)})`,
    `      words=" ${words.join(" ")} "`,
    ...(values.length === 0 ? [] : ['      case "$prev" in', ...values, "      esac"]),
    "      ;;",
  ].join("\n");
}
