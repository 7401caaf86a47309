/** Names of frames and what a job says of them, without the schema library: decoding starts before it loads. */

/** `frame_0205.png`; wider numbers grow. */
export const frameName = (frame: number): string => `frame_${String(frame).padStart(4, "0")}.png`;
export const FRAME_NAME = /^frame_(\d{4}|[1-9]\d{4,6})\.png$/;
export const MANIFEST_NAME = "manifest.json";

/** The frames of an inclusive range, in order. */
export const framesOf = (range: { first: number; last: number }): number[] =>
  Array.from({ length: range.last - range.first + 1 }, (_, index) => range.first + index);

/** What a job may ask for. */
export const ENGINES = ["CYCLES", "EEVEE", "WORKBENCH"] as const;
export const COLOR_MODES = ["BW", "RGB", "RGBA"] as const;
export const BIT_DEPTHS = [8, 16] as const;

/** PNG colour type of a job's colour mode. */
export const COLOR_TYPE = { BW: 0, RGB: 2, RGBA: 6 } as const satisfies Record<
  (typeof COLOR_MODES)[number],
  number
>;
