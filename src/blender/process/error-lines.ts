import type { ErrorCode } from "../../../contracts/catalogue.ts";

export interface ErrorLine {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
}

/**
 * Lines of Blender's output that mean failure whatever its exit code, first match wins. Never anchored at the
 * start: a statistics table can be glued in front.
 */
export const ERROR_LINES: readonly ErrorLine[] = [
  { pattern: /No space left on device/, code: "RENDER_DISK_FULL" },
  { pattern: /Build without OpenImageDenoiser/, code: "RENDER_DENOISER_MISSING" },
  {
    pattern: /Failed to read blend file|Cannot read file '.*\.blend'|File format is not supported/,
    code: "RENDER_SCENE_INVALID",
  },
  { pattern: /Unable to open a display/, code: "RENDER_ENGINE_UNSUPPORTED" },
  // "Not freed memory blocks" is said at the end of good runs.
  { pattern: /\bError: (?!Not freed memory blocks)/, code: "RENDER_LOG_ERROR" },
  { pattern: /Render error/, code: "RENDER_LOG_ERROR" },
  { pattern: /\b(?:CUDA|OptiX|HIP|Metal|oneAPI) error/i, code: "RENDER_LOG_ERROR" },
  { pattern: /Cancel \|/, code: "RENDER_LOG_ERROR" },
  { pattern: /Color management: .* not found/, code: "RENDER_LOG_ERROR" },
  { pattern: /scripts disabled for/i, code: "RENDER_LOG_ERROR" },
  { pattern: /Error in PyDriver/, code: "RENDER_LOG_ERROR" },
  { pattern: /Traceback \(most recent call last\)/, code: "RENDER_LOG_ERROR" },
  { pattern: /\bmissing from '.*', parent '/, code: "RENDER_SCENE_INCOMPLETE" },
];

/** The code that a line of Blender's output stands for; null for an ordinary line. */
export const errorOfLine = (line: string): ErrorCode | null =>
  ERROR_LINES.find((known) => known.pattern.test(line))?.code ?? null;
