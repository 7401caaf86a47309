import { LIMITS } from "../../contracts/limits.ts";

/** What a Retry-After asks for. `at` is wall-clock seconds; `hold` is a pause that no run waits for. */
export type RetryAfter =
  | { readonly kind: "none" }
  | { readonly kind: "at"; readonly at: number }
  | { readonly kind: "hold"; readonly why: string };

const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH = MONTHS.join("|");
const IMF = new RegExp(`^${DAY}, (\\d\\d) (${MONTH}) (\\d{4}) (\\d\\d):(\\d\\d):(\\d\\d) GMT$`);
const ASCTIME = new RegExp(`^${DAY} (${MONTH}) ([ \\d]\\d) (\\d\\d):(\\d\\d):(\\d\\d) (\\d{4})$`);
const RFC850 = new RegExp(
  `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\\d\\d)-(${MONTH})-(\\d\\d) (\\d\\d):(\\d\\d):(\\d\\d) GMT$`,
);

/**
 * Reads a Retry-After header (RFC 9110 10.2.3: digits or any of the three HTTP-date forms), from outside.
 * A value of another form is no Retry-After. Seconds are rounded up to the next whole second of the wall
 * clock, so that nobody comes back early.
 */
export function readRetryAfter(header: string | null, nowSeconds: number): RetryAfter {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) {
    const seconds = Number(text);
    if (seconds > LIMITS.retryAfterMaxSeconds)
      return { kind: "hold", why: `Retry-After: ${text.slice(0, 40)}` };
    return { kind: "at", at: seconds === 0 ? nowSeconds : nowSeconds + seconds + 1 };
  }
  const at = httpDate(text, nowSeconds);
  if (at === null) return { kind: "none" };
  if (at - nowSeconds > LIMITS.retryAfterMaxSeconds) return { kind: "hold", why: `Retry-After: ${text}` };
  return { kind: "at", at: Math.max(at, nowSeconds) };
}

/** Seconds since 1970 of an HTTP-date; null when it is none, also for a day that no calendar has. */
export function httpDate(text: string, nowSeconds: number): number | null {
  const imf = IMF.exec(text);
  if (imf !== null) return seconds([imf[3], imf[2], imf[1], imf[4], imf[5], imf[6]]);
  const asctime = ASCTIME.exec(text);
  if (asctime !== null)
    return seconds([asctime[6], asctime[1], asctime[2], asctime[3], asctime[4], asctime[5]]);
  const old = RFC850.exec(text);
  if (old === null) return null;
  // two-digit years more than 50 years ahead are in the past (RFC 9110 5.6.7)
  const thisYear = new Date(nowSeconds * 1_000).getUTCFullYear();
  const century = thisYear - (thisYear % 100);
  const year = century + Number(old[3]);
  return seconds([String(year > thisYear + 50 ? year - 100 : year), old[2], old[1], old[4], old[5], old[6]]);
}

function seconds(parts: readonly (string | undefined)[]): number | null {
  const month = MONTHS.indexOf(parts[1] ?? "");
  const [year = 0, , day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  if (hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(Date.UTC(year, month, day, hour, minute, second));
  const sound = date.getUTCMonth() === month && date.getUTCDate() === day;
  return sound || second === 60 ? Math.floor(date.getTime() / 1_000) : null;
}
