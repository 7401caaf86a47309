import { CATALOGUE, isCode } from "../../../contracts/catalogue.ts";
import type { CodeEntry } from "../../../contracts/codes/entry.ts";
import type { Finding } from "../../../contracts/documents/join-report.ts";

/** What the catalogue knows of a finding's code. */
export const entryOf = ({ code }: Pick<Finding, "code">): CodeEntry | null =>
  isCode(code) ? CATALOGUE[code] : null;

export function blamed({ blame, slot }: Pick<Finding, "blame" | "slot">): string | null {
  if (blame === "none") return null;
  if (blame === "slot") return `slot ${slot ?? "?"}`;
  return blame === "both" ? "both slots together" : `the ${blame}`;
}

/** Shares in parts per million, for a person. */
export const percent = (ppm: number): string => `${(ppm / 10_000).toFixed(ppm < 100_000 ? 2 : 1)} %`;

export const bytes = (count: number): string => {
  if (count < 1024) return `${count} B`;
  return count < 1024 ** 2 ? `${(count / 1024).toFixed(1)} KiB` : `${(count / 1024 ** 2).toFixed(1)} MiB`;
};

const shortened = (digest: string): string => `${digest.slice(0, 12)}…`;
export const short = (digest: string | null): string => (digest === null ? "none" : shortened(digest));
