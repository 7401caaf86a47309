import type { ConformanceReport } from "../../../contracts/documents/conformance.ts";
import { loadModules, standardConfiguration } from "../../../src/conformance/configuration.ts";
import { runConformance } from "../../../src/conformance/run-conformance.ts";
import { systemClock } from "../../../src/core/clock.ts";

interface Subject {
  readonly url: string;
  readonly adminToken: string;
}
/** Some modules, or some of their rules, on a gateway of others. */
export async function play(
  { url, adminToken }: Subject,
  wanted: readonly string[],
): Promise<ConformanceReport> {
  const configuration = { ...(await standardConfiguration()), memory_bytes: 2 ** 40 };
  const modules = (await loadModules(configuration, [])).map((loaded) => {
    const whole = wanted.includes(loaded.module.name);
    const rules = loaded.module.rules.filter(({ id }) => whole || wanted.includes(id));
    return { ...loaded, module: { ...loaded.module, rules } };
  });
  return runConformance({
    modules: modules.filter(({ module }) => module.rules.length > 0),
    configuration,
    subject: { url, adminToken, allowInsecure: false, process: null },
    clock: systemClock,
    signal: new AbortController().signal,
    tell: () => {},
  });
}
