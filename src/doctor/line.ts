/** One thing that was looked at. `action` says what to do; null where nothing is to be done. */
export interface Line {
  readonly subject: string;
  readonly state: "ok" | "warning" | "fault";
  readonly detail: string;
  readonly action: string | null;
}
