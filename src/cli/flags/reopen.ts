import type { AdministrationFlags } from "./administration.ts";

export interface ReopenFlags extends AdministrationFlags {
  reason: string;
}
