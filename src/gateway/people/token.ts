import { randomBytes } from "node:crypto";
import { TOKEN, workerTokenPrefix } from "../../../contracts/patterns.ts";

/** Who a new token is for: a worker's token carries the worker's id. */
export type TokenOwner =
  | { readonly role: "administrator" | "checker" }
  | { readonly role: "worker"; readonly workerUuid: string };

/** A new token: how its role's tokens begin and 256 random bits. Shown once, stored as a hash. */
export const newToken = (owner: TokenOwner): string =>
  `${prefixOf(owner)}${randomBytes(32).toString("base64url")}`;

const prefixOf = (owner: TokenOwner): string => {
  if (owner.role === "worker") return workerTokenPrefix(owner.workerUuid);
  return owner.role === "administrator" ? "rha_" : "rhc_";
};

export const isToken = (text: string): boolean => TOKEN.test(text);
