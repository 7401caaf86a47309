import { HandoffError } from "../../../core/error.ts";

export interface SeatLimits {
  /** Streams at the same time. */
  readonly all: number;
  /** Of these, so many for the administrator and checkers alone. */
  readonly reserved: number;
  /** Of one worker or checker. */
  readonly person: number;
}

export interface Sitter {
  /** A worker or checker; null for the administrator, and for who needs no token on this machine. */
  readonly personUuid: string | null;
  /** The administrator or a checker, by token. */
  readonly trusted: boolean;
}

/** Seconds after which a reader comes back. */
const RETRY_SECONDS = 5;

/** Who follows events at the same time: nobody can take the last places from the people who look after it. */
export class Seats {
  private readonly limits: SeatLimits;
  private readonly taken = new Set<Sitter>();

  constructor(limits: SeatLimits) {
    this.limits = limits;
  }

  /** Gives the seat back when called; rate_limited for one person's too many, unavailable for everybody's. */
  take({ personUuid, trusted }: Sitter): () => void {
    const { all, reserved, person } = this.limits;
    const taken = [...this.taken];
    const retry = { retryAfterSeconds: RETRY_SECONDS };
    const own = taken.filter((one) => one.personUuid === personUuid).length;
    if (personUuid !== null && own >= person)
      throw new HandoffError("rate_limited", `At most ${person} streams of one worker or checker.`, retry);
    const others = taken.filter((one) => !one.trusted).length;
    if (taken.length >= all || (!trusted && others >= all - reserved))
      throw new HandoffError("unavailable", "Too many streams.", retry);
    const seat: Sitter = { personUuid, trusted };
    this.taken.add(seat);
    return () => this.taken.delete(seat);
  }
}
