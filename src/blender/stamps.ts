import type { KeptKeyword } from "../../contracts/documents/frame-metadata.ts";

/** Each keyword's switch in Blender's render settings; the enforcing script leaves all others off. */
export const STAMP_SWITCHES: Readonly<Record<KeptKeyword, string>> = {
  Camera: "use_stamp_camera",
  Frame: "use_stamp_frame",
  FrameRange: "use_stamp_frame_range",
  Lens: "use_stamp_lens",
  Memory: "use_stamp_memory",
  RenderTime: "use_stamp_render_time",
  Scene: "use_stamp_scene",
  Time: "use_stamp_time",
};
