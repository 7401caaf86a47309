import type { ConformanceReport } from "../../../contracts/documents/conformance.ts";
import { loadModules, standardConfiguration } from "../../../src/conformance/configuration.ts";
import { runConformance } from "../../../src/conformance/run-conformance.ts";
import { systemClock } from "../../../src/core/clock.ts";

interface Subject {
  readonly url: string;
  readonly adminToken: string;
}
/** Some modules on a gateway of others. */
export async function play(
  { url, adminToken }: Subject,
  modules: readonly string[],
): Promise<ConformanceReport> {
  const configuration = { ...(await standardConfiguration()), memory_bytes: 2 ** 40 };
  const loaded = await loadModules(configuration, []);
  return runConformance({
    modules: loaded.filter(({ module }) => modules.includes(module.name)),
    configuration,
    subject: { url, adminToken, allowInsecure: false, process: null },
    clock: systemClock,
    signal: new AbortController().signal,
    tell: () => {},
  });
}
