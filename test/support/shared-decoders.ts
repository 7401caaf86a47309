import { afterAll } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { openDecoders } from "../../src/join/decode/open-decoders.ts";
import type { Decoders } from "../../src/join/decode/run-plan.ts";

/** Decoders for all tests of a file: to start threads for each of them would be most of their time. */
export function sharedDecoders(): Decoders {
  const decoders = openDecoders({}, systemClock);
  afterAll(() => decoders.close());
  return decoders;
}
