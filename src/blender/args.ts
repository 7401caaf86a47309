import type { KeptKeyword } from "../../contracts/documents/frame-metadata.ts";
import type { RenderSettings } from "../../contracts/documents/job.ts";
import type { SeenPaths } from "./containment/command.ts";
import { STAMP_SWITCHES } from "./stamps.ts";
import type { SeriesRules } from "./versions/series.ts";

export interface RenderRequest {
  readonly rules: SeriesRules;
  /** Path of the .blend below the scene's folder. */
  readonly main: string;
  readonly frames: readonly number[];
  readonly settings: RenderSettings;
  readonly allowScripts: boolean;
  readonly threads: number;
  readonly stamps?: readonly KeptKeyword[];
}

/** A job's settings; null where the scene's own value is meant. */
export type OpenSettings = {
  readonly [Name in keyof RenderSettings]: Name extends "engine" | "width" | "height" | "samples" | "seed"
    ? RenderSettings[Name] | null
    : RenderSettings[Name];
};

/** What a render of the scene would be asked for, so that an inspection can tell what would be refused. */
export interface Preflight {
  readonly settings: OpenSettings;
  readonly frames: readonly number[];
}

export interface InspectRequest {
  readonly rules: SeriesRules;
  readonly main: string;
  readonly threads: number;
  /** Null: the scene is described and nothing is refused. */
  readonly preflight: Preflight | null;
}

/** Arguments of a render: scene, then the enforcing script, then the output, the frames last. */
export const renderArguments = (request: RenderRequest, seen: SeenPaths): string[] => [
  ...opening(request.allowScripts, request.threads),
  `${seen.scene}/${request.main}`,
  // Before --python: placed after the script it is ignored.
  "--python-exit-code",
  "9",
  "--python",
  `${seen.scripts}/enforce.py`,
  "--render-output",
  `${seen.output}/frame_####`,
  "--render-format",
  "PNG",
  "--use-extension",
  "1",
  // An explicit list: a range with ".." backwards, or a sign, is read as something else with exit code 0.
  "--render-frame",
  request.frames.join(","),
  "--",
  JSON.stringify({
    mode: "render",
    ...place(request.main, seen),
    rules: request.rules,
    scripts: request.allowScripts,
    frames: request.frames,
    settings: request.settings,
    stamps: (request.stamps ?? []).map((keyword) => STAMP_SWITCHES[keyword]),
  }),
];

/** Arguments that open a scene, write its facts and render nothing. */
export const inspectArguments = (request: InspectRequest, seen: SeenPaths): string[] => [
  ...opening(false, request.threads),
  `${seen.scene}/${request.main}`,
  "--python-exit-code",
  "9",
  "--python",
  `${seen.scripts}/enforce.py`,
  "--",
  JSON.stringify({
    mode: "inspect",
    ...place(request.main, seen),
    rules: request.rules,
    scripts: request.preflight?.settings.allow_scripts ?? false,
    frames: request.preflight?.frames ?? [],
    settings: request.preflight?.settings ?? null,
  }),
];

/** Arguments that run one of our scripts in an empty Blender. */
export const scriptArguments = (script: string, request: unknown, seen: SeenPaths): string[] => [
  ...opening(false, 1),
  "--python-exit-code",
  "9",
  "--python",
  `${seen.scripts}/${script}`,
  "--",
  JSON.stringify(request),
];

const opening = (allowScripts: boolean, threads: number): string[] => [
  "--background",
  "--factory-startup",
  allowScripts ? "--enable-autoexec" : "--disable-autoexec",
  "-noaudio",
  "--threads",
  String(threads),
];

const place = (main: string, seen: SeenPaths) => ({
  facts: `${seen.facts}/facts.json`,
  root: seen.scene,
  scene: `${seen.scene}/${main}`,
});
