import type { FinalTask, History, HistoryEvent, Invariant, Violation } from "./history.ts";

/**
 * Holds a history against the invariants of the fenced queue. Pure. An answer that was lost may have been
 * acted on or not: nothing is concluded from it but what it might have extended.
 */
export const checkHistory = (history: History): Violation[] =>
  history.final.flatMap((final) => {
    const events = history.events.filter((event) => event.task === final.task);
    return RULES.flatMap(([invariant, rule]) =>
      rule(events, final).map((what) => ({ invariant, task: final.task, what })),
    );
  });

type Rule = (events: readonly HistoryEvent[], final: FinalTask) => string[];

const ok = (events: readonly HistoryEvent[], op: HistoryEvent["op"]): HistoryEvent[] =>
  events.filter((event) => event.op === op && event.outcome === "ok");
const unknown = (events: readonly HistoryEvent[], op: HistoryEvent["op"]): HistoryEvent[] =>
  events.filter((event) => event.op === op && event.outcome === "unknown");
const accepted = (events: readonly HistoryEvent[]): HistoryEvent[] =>
  ok(events, "submit").filter((event) => !event.replayed);
const claimed = (events: readonly HistoryEvent[]): HistoryEvent[] =>
  ok(events, "claim").filter((event) => !event.replayed);
const fenceOf = (event: HistoryEvent): number => event.fence ?? event.fenceGiven ?? 0;
const text = (event: HistoryEvent): string =>
  `${event.op} by ${event.worker} under ${fenceOf(event)}${event.key === null ? "" : ` with ${event.key}`} at ${event.sent.toFixed(0)}`;

/** At most one result is accepted of each version of a task. */
const oneResultPerVersion: Rule = (events, final) => {
  const receipts = new Set(ok(events, "submit").map((event) => event.receipt));
  const versions = final.state === "done" ? final.version : final.version - 1;
  return receipts.size > versions ? [`${receipts.size} receipts for ${versions} finished versions`] : [];
};

/** Each claim that was not a replay gives a fence of its own, larger than that of any claim that ended before. */
const fenceGrows: Rule = (events, final) => {
  const claims = claimed(events);
  const faults = claims.flatMap((later) =>
    claims
      .filter((earlier) => earlier !== later && fenceOf(earlier) >= fenceOf(later))
      .filter((earlier) => earlier.ended < later.sent || fenceOf(earlier) === fenceOf(later))
      .map((earlier) => `${text(later)} is not above ${text(earlier)}`),
  );
  const highest = Math.max(0, ...claims.map(fenceOf));
  return final.fence < highest
    ? [...faults, `the task ends with ${final.fence}, ${highest} was given`]
    : faults;
};

/** A claim key gives one fence only, and none once its lease is known to have ended. */
const spentKey: Rule = (events) =>
  ok(events, "claim").flatMap((claim) => {
    if (claim.key === null) return [];
    const same = ok(events, "claim").filter(
      (other) =>
        other.key === claim.key && other.worker === claim.worker && fenceOf(other) !== fenceOf(claim),
    );
    const ends = [...ok(events, "release"), ...accepted(events)].filter(
      (end) => end.fence === claim.fenceGiven && end.worker === claim.worker && end.ended < claim.sent,
    );
    return [
      ...same.map((other) => `${text(claim)} and ${text(other)} share a key`),
      ...ends.map((end) => `${text(claim)} after ${text(end)}`),
    ];
  });

/** No lease ends later than slot_seconds after its claim. */
const slotSeconds: Rule = (events, final) => {
  const { slotSeconds: most } = final;
  if (most === null) return [];
  return claimed(events).flatMap((claim) => {
    const claimedAt = (claim.expires ?? 0) - Math.min(final.leaseSeconds, most);
    return ok(events, "heartbeat")
      .filter((beat) => beat.fence === claim.fenceGiven && (beat.expires ?? 0) > claimedAt + most)
      .map((beat) => `${text(beat)} extends to ${(beat.expires ?? 0) - claimedAt} s, at most ${most}`);
  });
};

const writes = (events: readonly HistoryEvent[]): HistoryEvent[] => [
  ...ok(events, "heartbeat"),
  ...ok(events, "release"),
  ...accepted(events),
];

/** Nothing is written under a fence once a later one was given. */
const staleFence: Rule = (events) =>
  writes(events).flatMap((write) =>
    claimed(events)
      .filter((claim) => fenceOf(claim) > fenceOf(write) && claim.ended < write.sent)
      .map((claim) => `${text(write)} after ${text(claim)}`),
  );

/** Nothing is written under a lease in or after the second in which it ended. */
const expiredLease: Rule = (events) =>
  writes(events).flatMap((write) => {
    const own = events.filter((event) => fenceOf(event) === fenceOf(write) && event.sent < write.ended);
    const lost = own.some((event) => event.op === "heartbeat" && event.outcome === "unknown");
    const known = own.flatMap((event) =>
      event.outcome === "ok" && event !== write ? [event.expires ?? 0] : [],
    );
    const expires = Math.max(0, ...known);
    return lost || expires === 0 || write.sentSecond < expires
      ? []
      : [`${text(write)} was sent in second ${write.sentSecond}, the lease ended in ${expires}`];
  });

/** Every receipt that was answered is stored at the end. */
const acknowledgedSurvives: Rule = (events, final) => [
  ...ok(events, "submit")
    .filter((submit) => !final.receipts.includes(submit.receipt))
    .map((submit) => `the receipt of ${text(submit)} is gone`),
  ...claimed(events)
    .filter((claim) => fenceOf(claim) > final.fence)
    .map((claim) => `${text(claim)} is gone`),
];

/** One key gives one receipt, for one body. */
const replayBytes: Rule = (events) => {
  const faults: string[] = [];
  const first = new Map<string, HistoryEvent>();
  for (const submit of ok(events, "submit")) {
    const known = first.get(submit.key ?? "");
    if (known === undefined) first.set(submit.key ?? "", submit);
    else if (known.receipt !== submit.receipt) faults.push(`${text(submit)} has another receipt than before`);
    else if (known.bodySha256 !== submit.bodySha256) faults.push(`${text(submit)} was sent with other bytes`);
  }
  return faults;
};

/** A version begins with each reopening that was acknowledged, and with no other. */
const versionsReopened: Rule = (events, final) => {
  const [acknowledged, lost] = [ok(events, "reopen").length, unknown(events, "reopen").length];
  const reopened = final.version - 1;
  return reopened < acknowledged || reopened > acknowledged + lost
    ? [`version ${final.version} after ${acknowledged} reopenings, and ${lost} whose answer was lost`]
    : [];
};

const RULES: readonly (readonly [Invariant, Rule])[] = [
  ["one-result-per-version", oneResultPerVersion],
  ["fence-grows", fenceGrows],
  ["spent-key", spentKey],
  ["slot-seconds", slotSeconds],
  ["stale-fence", staleFence],
  ["expired-lease", expiredLease],
  ["acknowledged-survives", acknowledgedSurvives],
  ["replay-bytes", replayBytes],
  ["versions-reopened", versionsReopened],
];
