import type { AdministrationFlags } from "./administration.ts";

export interface CheckerAddFlags extends AdministrationFlags {
  tokenFile?: string;
}
