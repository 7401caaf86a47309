import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { type Certificate, selfSigned } from "../../support/certificate.ts";
import { serveCommand } from "../../support/serve-command.ts";
import { temporaryFolder } from "../../support/temporary.ts";

/** `hangUp` sends SIGHUP and gives the line of the log that answers it. */
async function serve(...flags: string[]) {
  const { child, log, stop, url } = await serveCommand(join(await temporaryFolder(), "data"), flags);
  const hangUp = async (): Promise<{ event: string; code?: string; detail?: string }> => {
    const answered = new Promise<string>((resolve) => {
      log.on("line", (text) => {
        if (text.includes('"event":"tls_')) resolve(text);
      });
    });
    child.kill("SIGHUP");
    return JSON.parse(await answered);
  };
  return { url: new URL(url), hangUp, stop };
}

/** A connection whose certificate is held to nothing. */
async function dial({ hostname, port }: URL): Promise<TLSSocket> {
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  return socket;
}

/** The certificate that a new client is shown. */
async function shown(url: URL): Promise<string | undefined> {
  const socket = await dial(url);
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}
const printOf = ({ cert }: Certificate): string => new X509Certificate(cert).fingerprint256;

const statusOver = (url: URL, socket: TLSSocket): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const sent = request(new URL("/healthz", url), { createConnection: () => socket }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    });
    sent.on("error", reject).end();
  });

test("SIGHUP has certificate and key read anew; what was connected stays, and a bad pair changes nothing", async () => {
  const folder = await temporaryFolder();
  const [cert, key] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  const [first, second, third] = [await selfSigned(), await selfSigned(), await selfSigned()];
  copyFileSync(first.file, cert);
  writeFileSync(key, first.key);
  const gateway = await serve("--tls-cert", cert, "--tls-key", key);
  expect(await shown(gateway.url)).toBe(printOf(first));
  const earlier = await dial(gateway.url);

  copyFileSync(second.file, cert);
  expect(await gateway.hangUp()).toMatchObject({ event: "tls_not_renewed", code: "USAGE_FILE_INVALID" });
  expect(await shown(gateway.url)).toBe(printOf(first));
  writeFileSync(key, second.key);
  const { validTo } = new X509Certificate(second.cert);
  expect(await gateway.hangUp()).toMatchObject({ event: "tls_renewed", detail: `until ${validTo}` });
  expect(await shown(gateway.url)).toBe(printOf(second));
  expect(await statusOver(gateway.url, earlier)).toBe(200);

  writeFileSync(cert, third.cert.slice(0, 100));
  expect(await gateway.hangUp()).toMatchObject({ event: "tls_not_renewed", code: "USAGE_FILE_INVALID" });
  expect(await shown(gateway.url)).toBe(printOf(second));
  expect(await gateway.stop()).toBe(0);
});

test("without TLS SIGHUP finds nothing to read and stops nothing", async () => {
  const gateway = await serve();
  expect((await gateway.hangUp()).event).toBe("tls_nothing_to_read");
  expect((await fetch(new URL("/healthz", gateway.url), { headers: { connection: "close" } })).status).toBe(
    200,
  );
  expect(await gateway.stop()).toBe(0);
});
