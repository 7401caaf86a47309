import type { AdministrationFlags } from "./administration.ts";

export interface StatusFlags extends AdministrationFlags {
  job?: string;
  all?: true;
  watch?: true;
  tokenFile?: string;
}
