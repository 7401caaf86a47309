import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporary.ts";

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  /** The certificate's file. */
  readonly file: string;
}

/** A new certificate for 127.0.0.1 that nobody else has signed. */
export async function selfSigned(): Promise<Certificate> {
  const folder = await temporaryFolder();
  const [key, file] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const about = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  execFileSync("openssl", [...made, ...about, "-keyout", key, "-out", file], { stdio: "ignore" });
  return { cert: readFileSync(file, "utf8"), key: readFileSync(key, "utf8"), file };
}
