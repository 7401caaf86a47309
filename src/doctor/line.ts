import { CATALOGUE } from "../../contracts/catalogue.ts";
import { asHandoffError } from "../core/error.ts";

/** One thing that was looked at. `action` says what to do; null where nothing is to be done. */
export interface Line {
  readonly subject: string;
  readonly state: "ok" | "warning" | "fault";
  readonly detail: string;
  readonly action: string | null;
}

/** What went wrong while it was looked at, with what the catalogue says about it. */
export function faultOf(subject: string, thrown: unknown): Line {
  const error = asHandoffError(thrown);
  return {
    subject,
    state: "fault",
    detail: `${error.code}: ${error.message}`,
    action: CATALOGUE[error.code].action,
  };
}
