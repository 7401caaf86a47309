import { fileURLToPath } from "node:url";
import type { z } from "zod";
import type { DeviceClass } from "../../../contracts/documents/job.ts";

/** Folders as Blender sees them: fixed names under bwrap, the real ones elsewhere. */
export interface SeenPaths {
  readonly scene: string;
  readonly output: string;
  readonly facts: string;
  readonly scripts: string;
}

export interface Launch {
  readonly executable: string;
  /** Read-only to Blender where the containment can do that. */
  readonly sceneFolder: string;
  /** The one folder that Blender writes its product to. */
  readonly outputFolder: string;
  /** Absolute; `home`, `tmp` and `facts` are made in it for this process alone. */
  readonly runFolder: string;
  readonly device: z.infer<typeof DeviceClass>;
  /** Unique string in the environment of everything that is started: leftovers are found by it. */
  readonly marker: string;
  readonly arguments: (seen: SeenPaths) => readonly string[];
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment, of the wrapper too: inside a container /proc/1/environ is the wrapper's. */
  readonly env: Readonly<Record<string, string>>;
}

export const MARKER_VARIABLE = "RENDER_HANDOFF_MARKER";
export const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";

/** enforce.py and its neighbours, beside this code as source and as built. */
export const scriptsFolder = (): string => fileURLToPath(new URL("../python", import.meta.url));

export const ownFolders = (runFolder: string) => ({
  home: `${runFolder}/home`,
  tmp: `${runFolder}/tmp`,
  facts: `${runFolder}/facts`,
});

/** Allow-list: nothing of the caller's environment reaches Blender. */
export const environmentOf = (folders: { home: string; tmp: string; marker: string }) => ({
  HOME: folders.home,
  TMPDIR: folders.tmp,
  PATH: SYSTEM_PATH,
  LANG: "C",
  LC_ALL: "C",
  [MARKER_VARIABLE]: folders.marker,
});
