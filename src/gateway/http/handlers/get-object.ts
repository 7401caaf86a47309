import { canonicalBytes } from "../../../core/json/canonical.ts";
import { readObject } from "../../queue/read-object.ts";
import { JSON_TYPE, param, readerOf } from "../call.ts";
import { plain } from "../handler.ts";

/** The envelope of the latest version, or of `version` or `sha256`, as canonical JSON. */
export const getObject = plain(async (call) => {
  const { version, sha256 } = call.query;
  const envelope = await readObject(call.services.queue, {
    key: param(call, "key"),
    version: version === undefined ? null : Number(version),
    sha256: sha256 ?? null,
    reader: readerOf(call),
  });
  return { kind: "bytes", status: 200, bytes: canonicalBytes(envelope), type: JSON_TYPE };
});
