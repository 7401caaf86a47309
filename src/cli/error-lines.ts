import type { Code } from "../../contracts/catalogue.ts";
import type { HandoffError } from "../core/error.ts";
import { harmless } from "../core/escape.ts";

type Told = Pick<HandoffError, "message" | "details" | "cause"> & { readonly code: Code };

/** One sentence with its code and, where there is more to say, indented lines; a stack only for a fault of ours. */
export function errorLines(error: Told): string {
  const lines = [
    `${error.code}: ${harmless(error.message, 2_000)}`,
    ...error.details.map((line) => `  ${harmless(line, 500)}`),
  ];
  if (error.code === "INTERNAL_UNEXPECTED" && error.cause instanceof Error)
    lines.push(error.cause.stack ?? "");
  return `${lines.join("\n")}\n`;
}
