import { Policy } from "../../contracts/documents/policy.ts";
import { HandoffError } from "../core/error.ts";
import { readCapped } from "../core/files/read-capped.ts";
import { readDocument } from "../core/json/read-document.ts";

/** A policy document that a person wrote. Throws USAGE_FILE_UNREADABLE and USAGE_FILE_INVALID. */
export async function readPolicy(path: string): Promise<Policy> {
  const read = await readCapped(path, 64 * 1024);
  if (!read.ok) throw new HandoffError("USAGE_FILE_UNREADABLE", `${path}: ${read.detail}.`);
  const policy = readDocument(Policy, read.bytes);
  if (!policy.ok) throw new HandoffError("USAGE_FILE_INVALID", `${path}${policy.path}: ${policy.problem}.`);
  return policy.value;
}
