import { loadModules, standardConfiguration } from "../../conformance/configuration.ts";
import { searchModules } from "../../conformance/search-modules.ts";
import type { CliContext } from "../context.ts";
import type { ConformanceListFlags } from "../flags/conformance.ts";

/** Prints the modules that answer to a search, or all of them. */
export async function conformanceList(flags: ConformanceListFlags, context: CliContext): Promise<void> {
  const modules = await loadModules(await standardConfiguration(), []);
  const found = searchModules(modules, flags.search ?? null).map(({ module, pin }) => ({
    name: module.name,
    version: module.version,
    summary: module.summary,
    rules: module.rules,
    manifest_sha256: pin.manifest_sha256,
  }));
  context.out(
    flags.json
      ? `${JSON.stringify({ modules: found })}\n`
      : found.length === 0
        ? "no module\n"
        : found
            .map(
              ({ name, version, summary, rules }) =>
                `${name} ${version}: ${summary}\n${rules.map((rule) => `  ${rule.id.padEnd(12)} ${rule.statement}\n`).join("")}`,
            )
            .join(""),
  );
}
