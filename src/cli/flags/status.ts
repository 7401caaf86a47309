import type { AdministrationFlags } from "./administration.ts";

export interface StatusFlags extends AdministrationFlags {
  job?: string;
  watch?: true;
  tokenFile?: string;
}
