/** Keywords of text that Blender can write into a frame and that a worker may keep for itself. */
export const KEPT_KEYWORDS = [
  "Camera",
  "Frame",
  "FrameRange",
  "Lens",
  "Memory",
  "RenderTime",
  "Scene",
  "Time",
] as const;
