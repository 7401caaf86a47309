import { permanent, transient } from "./entry.ts";

/** Codes of render-child by step. */
export const CHILD_CODES = {
  CLAIM_JOB_INVALID: permanent(
    "claim",
    "The job does not follow its schema or its rules.",
    "Whoever submitted the job must correct it.",
  ),
  CLAIM_JOB_DIGEST: permanent(
    "claim",
    "The job's bytes do not have the digest that the task names.",
    "Tell the gateway's operator.",
  ),
  CLAIM_SCENE_DIGEST: permanent(
    "claim",
    "A file of the scene does not have the size or digest that the job names.",
    "Submit the scene again.",
  ),
  CLAIM_DISK_SPACE: transient(
    "claim",
    "There is not enough room on the disk for the scene and its frames.",
    "Free some space.",
  ),

  RENDER_BLENDER_MISSING: permanent(
    "render",
    "There is no Blender to run.",
    "Install Blender, or name it with --blender.",
  ),
  RENDER_BLENDER_PIN: permanent(
    "render",
    "This Blender's version or executable digest is not among those that the job allows.",
    "Install the pinned Blender, or submit the job with this one.",
  ),
  RENDER_FETCH_FAILED: transient(
    "render",
    "The archive of Blender could not be fetched; nothing was installed.",
    "Run again; check the URL in the pins file.",
  ),
  RENDER_FETCH_DIGEST: permanent(
    "render",
    "The archive that came is not the one that the pins file names; nothing was installed.",
    "Compare URL, SHA-256 and size with what blender.org publishes.",
  ),
  RENDER_SERIES_UNKNOWN: permanent(
    "render",
    "This series of Blender is not known to this tool.",
    "Use one of the series that doctor lists.",
  ),
  RENDER_ENGINE_UNSUPPORTED: permanent(
    "render",
    "The engine is not available in this Blender.",
    "Use another engine, or a machine that has it.",
  ),
  RENDER_DEVICE_MISSING: permanent(
    "render",
    "The device class that the job needs is not available.",
    "Use a machine that has it.",
  ),
  RENDER_CONTAINMENT_MISSING: permanent(
    "render",
    "Without bubblewrap a scene is rendered only when it is trusted.",
    "Install bubblewrap, or give --trust-scenes for scenes that you made yourself.",
  ),
  RENDER_SCRIPTS_REFUSED: permanent(
    "render",
    "Scripts in scenes need the job's allow_scripts, --allow-scripts and bubblewrap.",
    "Allow them on both sides, or submit the job without scripts.",
  ),
  RENDER_SCENE_INVALID: permanent(
    "render",
    "Blender cannot open the scene or the scene lacks what a render needs.",
    "Open the scene in Blender and correct it.",
  ),
  RENDER_SCENE_INCOMPLETE: permanent(
    "render",
    "Files that the scene needs are missing.",
    "Pack them into the .blend or submit them with it.",
  ),
  RENDER_SCENE_ESCAPES: permanent(
    "render",
    "A path in the scene leads outside the scene's folder.",
    "Make the paths relative and put the files beside the scene.",
  ),
  RENDER_SCENE_WRITES_FILES: permanent(
    "render",
    "The scene's compositor writes files of its own while it renders.",
    "Mute or remove the File Output nodes.",
  ),
  RENDER_DENOISER_MISSING: permanent(
    "render",
    "The scene asks for a denoiser that this Blender was built without.",
    "Turn denoising off in the scene, or use a Blender that has it.",
  ),
  RENDER_SETTINGS_REFUSED: permanent(
    "render",
    "Blender did not take the job's settings: what was read back differs.",
    "Compare the job's settings with what this Blender can do.",
  ),
  RENDER_BLENDER_FAILED: permanent(
    "render",
    "Blender ended with an error.",
    "Read the last lines of its log in the result.",
  ),
  RENDER_LOG_ERROR: permanent(
    "render",
    "Blender ended with exit code 0, but its log names an error.",
    "Read the log line in the result.",
  ),
  RENDER_WATCHDOG: permanent(
    "render",
    "Blender was alive longer than the job's watchdog_seconds; it was killed.",
    "Make the frames cheaper, or submit with a higher --watchdog.",
  ),
  RENDER_RUN_DEADLINE: permanent(
    "render",
    "The run took longer than the job's run_seconds; it was stopped.",
    "Submit with higher limits, or use a faster machine.",
  ),
  RENDER_PROCESS_ALIVE: transient(
    "render",
    "A process of Blender could not be proven gone.",
    "Look for it by the marker in the log and end it.",
  ),
  RENDER_FRAME_MISSING: permanent(
    "render",
    "A frame of the slot was not written.",
    "Read the last lines of Blender's log in the result.",
  ),
  RENDER_FRAME_UNEXPECTED: permanent(
    "render",
    "There is a file in the output folder that is no frame of the slot.",
    "Remove File Output nodes and multiview from the scene.",
  ),
  RENDER_FRAME_NOT_REGULAR: permanent(
    "render",
    "A frame is not a regular file of this user with one link.",
    "Look at what wrote it: Blender does not.",
  ),
  RENDER_FRAME_INVALID: permanent(
    "render",
    "A frame did not pass the strict check.",
    "Read the finding in the result.",
  ),
  RENDER_OUTPUT_TOO_LARGE: permanent(
    "render",
    "A frame is larger than the job's frame_bytes.",
    "Submit with a higher limit.",
  ),
  RENDER_DISK_FULL: transient("render", "The disk filled up while rendering.", "Free some space."),

  BUNDLE_TOO_LARGE: permanent(
    "bundle",
    "The bundle would be larger than the job's bundle_bytes.",
    "Submit with a higher limit or fewer frames.",
  ),
  BUNDLE_WRITE_FAILED: transient("bundle", "The bundle could not be written.", "Check the disk."),
  UPLOAD_FAILED: transient("upload", "The bundle could not be uploaded; it is kept.", "Run again."),
  SUBMIT_REFUSED: permanent(
    "submit",
    "The gateway refused the submit.",
    "Read the code that the gateway gave.",
  ),
  SUBMIT_RECEIPT_INVALID: permanent(
    "submit",
    "The gateway's receipt does not belong to what was sent.",
    "Tell the gateway's operator.",
  ),
} as const;
