import type { Finding } from "../../../contracts/documents/join-report.ts";
import type { Changes } from "../../../fixtures/evidence-maker/changes.ts";
import { evidence } from "../../../fixtures/evidence-maker/good.ts";
import type { Facts } from "../../../src/join/facts.ts";
import { narrowGateway, narrowJob, narrowSlot } from "../../../src/join/narrow-evidence.ts";

/** Facts of a changed good case without its bundles, and the findings of reading it. */
export async function factsOf(changes: Changes): Promise<{ facts: Facts; findings: Finding[] }> {
  const from = { files: evidence(changes), findings: [] as Finding[] };
  const facts = {
    job: await narrowJob(from),
    gateway: await narrowGateway(from),
    slots: {
      a: { ...(await narrowSlot("a", from)), bundle: null },
      b: { ...(await narrowSlot("b", from)), bundle: null },
    },
  };
  return { facts, findings: from.findings };
}
