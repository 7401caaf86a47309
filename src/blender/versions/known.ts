import { rules as v3_4 } from "./3.4.ts";
import { rules as v3_5 } from "./3.5.ts";
import { rules as v3_6 } from "./3.6.ts";
import { rules as v4_0 } from "./4.0.ts";
import { rules as v4_1 } from "./4.1.ts";
import { rules as v4_2 } from "./4.2.ts";
import { rules as v4_3 } from "./4.3.ts";
import { rules as v4_4 } from "./4.4.ts";
import { rules as v4_5 } from "./4.5.ts";
import { rules as v5_0 } from "./5.0.ts";
import { rules as v5_1 } from "./5.1.ts";
import type { SeriesRules } from "./series.ts";

/** Series whose settings are known; only 3.4 is run in this project's tests, the rest is from documentation. */
export const KNOWN_SERIES: readonly SeriesRules[] = [
  v3_4,
  v3_5,
  v3_6,
  v4_0,
  v4_1,
  v4_2,
  v4_3,
  v4_4,
  v4_5,
  v5_0,
  v5_1,
];

/** `3.4` of `3.4.1`. */
export const seriesOf = (version: string): string => version.split(".").slice(0, 2).join(".");

/** Rules of a version's series; undefined when it is unknown, and then nothing is guessed. */
export const rulesOf = (version: string): SeriesRules | undefined =>
  KNOWN_SERIES.find((known) => known.series === seriesOf(version));
