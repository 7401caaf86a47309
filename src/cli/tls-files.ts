import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { asHandoffError, HandoffError, systemCode } from "../core/error.ts";
import type { Gateway } from "../gateway/open.ts";
import type { CliContext } from "./context.ts";

/** Paths of a certificate chain and its key. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** Their PEM; USAGE_FILE_UNREADABLE. */
export async function readTls({ cert, key }: TlsFiles): Promise<{ cert: string; key: string }> {
  try {
    return { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") };
  } catch (thrown) {
    throw new HandoffError(
      "USAGE_FILE_UNREADABLE",
      `It is the certificate or the key: ${systemCode(thrown) ?? "unknown"}.`,
      { cause: thrown },
    );
  }
}

/** From now on SIGHUP has the files read anew. A pair that cannot be used is logged, and the old one stays. */
export function keepTlsNew(
  files: TlsFiles | null,
  opened: Promise<Gateway>,
  { logger, onHangup }: Pick<CliContext, "logger" | "onHangup">,
): void {
  const renew = async (): Promise<void> => {
    if (files === null) return logger.log("info", "tls_nothing_to_read", { detail: "it serves without TLS" });
    const gateway = await opened;
    try {
      const tls = await readTls(files);
      gateway.renewTls(tls);
      logger.log("info", "tls_renewed", { detail: `until ${new X509Certificate(tls.cert).validTo}` });
    } catch (thrown) {
      const { code, message } = asHandoffError(thrown);
      logger.log("error", "tls_not_renewed", { code, detail: message });
    }
  };
  // one after another: what was read last is what is served
  let last: Promise<void> = Promise.resolve();
  onHangup(() => {
    // a gateway that could not be opened is told elsewhere
    last = last.then(renew).catch(() => {});
  });
}
