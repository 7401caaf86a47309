/** A small generator of its own, so that a seed means the same run everywhere (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A whole number from 0 up to before `below`. */
  under(below: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.under(from.length)] ?? from[0];
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.under(256)));
  }

  /** A number that a parser may stumble over, of so many bytes. */
  odd(size: 1 | 2 | 4, now: number): number {
    const most = 2 ** (8 * size) - 1;
    const value = this.pick([
      0,
      1,
      most,
      most - 1,
      (most + 1) / 2,
      now + 1,
      now - 1,
      now ^ 1,
      this.under(most),
    ]);
    return ((value % (most + 1)) + most + 1) % (most + 1);
  }
}
