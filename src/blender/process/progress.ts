/** What Blender says about its work: for people, never for correctness. */
export interface RenderProgress {
  readonly frame: number | null;
  readonly sample: number | null;
  readonly samples: number | null;
  /** Frames that Blender says it has saved. */
  readonly framesDone: number;
}

const FRAME = /\bFra: ?(\d{1,7})\b/;
const SAMPLE = /\bSample (\d{1,7})\/(\d{1,7})\b|\bRendering (\d{1,7}) \/ (\d{1,7}) samples\b/;
// A quote in the path is not escaped: up to the last one.
const SAVED = /\bSaved: '.*'/;

/** Progress after one more line; the same object when the line says nothing. Forms of 3.4 to 5.x. */
export function progressAfter(before: RenderProgress, line: string): RenderProgress {
  if (SAVED.test(line)) return { ...before, framesDone: before.framesDone + 1 };
  const frame = FRAME.exec(line)?.[1];
  if (frame === undefined) return before;
  const sample = SAMPLE.exec(line);
  return {
    ...before,
    frame: Number(frame),
    sample: numberOf(sample?.[1] ?? sample?.[3]),
    samples: numberOf(sample?.[2] ?? sample?.[4]),
  };
}

export const NO_PROGRESS: RenderProgress = { frame: null, sample: null, samples: null, framesDone: 0 };

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));
