import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Subject, SubjectProcess } from "../conformance/subject.ts";
import { readDocument } from "../core/json/read-document.ts";
import { TOKEN_FILE } from "../gateway/data-folder.ts";
import type { CliContext } from "./context.ts";
import { runOwn, type ServedGateway, serveOwn } from "./own-process.ts";
import { readToken } from "./read-token.ts";

const Outcome = z.object({ outcome: z.string() });

/** An embedded gateway as its own process in a temporary folder, for as long as `work` runs. */
export async function withEmbeddedSubject<T>(
  context: CliContext,
  work: (subject: Subject) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "render-handoff-conformance-"));
  const data = join(folder, "gateway");
  let served: ServedGateway | null = null;
  try {
    served = await serveOwn(data, context);
    const killAndRestart = async (): Promise<{ url: string }> => {
      await served?.kill();
      served = await serveOwn(data, context);
      return { url: served.url };
    };
    return await work({
      url: served.url,
      adminToken: await readToken(join(data, TOKEN_FILE)),
      allowInsecure: false,
      process: { killAndRestart, drain: (child) => drain(child, context) },
    });
  } finally {
    await served?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function drain(
  child: Parameters<SubjectProcess["drain"]>[0],
  context: CliContext,
): ReturnType<SubjectProcess["drain"]> {
  const { exitCode, stdout } = await runOwn({
    program: "render-child",
    args: [
      ...["--slot", child.slot, "--gateway", child.url, "--token-file", child.tokenFile],
      ...["--state", child.stateFolder, "--drain-only", "--json"],
    ],
    context,
  });
  const read = readDocument(Outcome, Buffer.from(stdout));
  return { exitCode, outcome: read.ok ? read.value.outcome : `exit code ${exitCode}` };
}
