import type { AdministrationFlags } from "./administration.ts";

export interface WorkerAddFlags extends AdministrationFlags {
  operator?: string;
  tokenFile?: string;
}
