import { CATALOGUE, type FindingCode } from "../../contracts/catalogue.ts";
import type { Finding } from "../../contracts/documents/join-report.ts";
import type { Slot } from "../../contracts/flow.ts";

export interface Place {
  readonly slot?: Slot | null;
  readonly frame?: number | null;
  /** The file of the evidence and, after `#`, the place in it. */
  readonly path: string;
  readonly expected?: string | number | boolean | null;
  readonly actual?: string | number | boolean | null;
}

const MOST = 500;
/** Cut first: a cut may part a pair of surrogates, and half of one is no text that a strict reader takes. */
export const cut = (text: string, most = MOST): string => text.slice(0, most).toWellFormed();

/** A value as a finding carries it. */
export const shown = (value: Place["expected"]): string | null =>
  value === undefined || value === null ? null : cut(String(value));

/** A finding with the severity and the blame that the catalogue gives its code. */
export const finding = (code: FindingCode, place: Place): Finding => ({
  code,
  severity: CATALOGUE[code].severity,
  blame: CATALOGUE[code].blame,
  slot: place.slot ?? null,
  frame: place.frame ?? null,
  path: cut(place.path),
  expected: shown(place.expected),
  actual: shown(place.actual),
});

/** Path of a file of a slot. */
export const slotPath = (slot: Slot, name: string): string => `slots/${slot}/${name}`;
