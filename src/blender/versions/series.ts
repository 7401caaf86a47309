import type { RenderSettings } from "../../../contracts/documents/job.ts";

export type EngineName = RenderSettings["engine"];

/** What differs between series of Blender; sent to the enforcing script as it is. */
export interface SeriesRules {
  /** First two numbers of the version. */
  readonly series: string;
  /** Engine identifiers of `scene.render.engine`. */
  readonly engines: Readonly<Record<EngineName, string>>;
  /** Whether `image_settings.media_type` must be IMAGE before the format can be set (5.0). */
  readonly media_type: boolean;
  /** Attribute of the scene that holds the compositor's node tree. */
  readonly compositor: "node_tree" | "compositing_node_group";
}

/** Everything up to 4.1: EEVEE by its first name. */
export const FIRST_EEVEE = {
  CYCLES: "CYCLES",
  EEVEE: "BLENDER_EEVEE",
  WORKBENCH: "BLENDER_WORKBENCH",
} as const;
/** 4.2 to 4.5, while both EEVEEs had to be told apart. */
export const NEXT_EEVEE = {
  CYCLES: "CYCLES",
  EEVEE: "BLENDER_EEVEE_NEXT",
  WORKBENCH: "BLENDER_WORKBENCH",
} as const;
