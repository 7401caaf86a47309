import { existsSync, readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import {
  type Command,
  environmentOf,
  type Launch,
  ownFolders,
  SYSTEM_PATH,
  scriptsFolder,
} from "./command.ts";

const SEEN = {
  scene: "/handoff/scene",
  output: "/handoff/output",
  facts: "/handoff/facts",
  scripts: "/handoff/scripts",
} as const;

/** Namespaces and capabilities: what is measured in the tests of this file. */
export const BWRAP_WALLS: readonly string[] = [
  "--die-with-parent",
  "--new-session",
  "--unshare-user",
  "--unshare-pid",
  "--unshare-net",
  "--unshare-ipc",
  "--unshare-uts",
  "--disable-userns",
  // Without this and a user namespace root inside could remount /usr and write to the host.
  "--cap-drop",
  "ALL",
];

/** Programs and their data, none of it a user's. */
export const BWRAP_SYSTEM: readonly string[] = [
  ...["--ro-bind", "/usr", "/usr"],
  ...["--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"],
  ...["/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache"].flatMap((path) => ["--ro-bind-try", path, path]),
  ...["--dev", "/dev", "--proc", "/proc"],
];

/** Blender inside bubblewrap: no capabilities, no network, no host files but its scene (read-only) and output. */
export function bwrapCommand(launch: Launch): Command {
  const own = ownFolders(launch.runFolder);
  const env = environmentOf({ home: "/handoff/home", tmp: "/tmp", marker: launch.marker });
  return {
    file: "bwrap",
    args: [
      ...BWRAP_WALLS,
      ...BWRAP_SYSTEM,
      ...devices(launch),
      ...["--bind", own.tmp, "/tmp", "--bind", own.home, "/handoff/home", "--bind", own.facts, SEEN.facts],
      ...["--ro-bind", scriptsFolder(), SEEN.scripts],
      ...["--ro-bind", launch.sceneFolder, SEEN.scene],
      ...["--bind", launch.outputFolder, SEEN.output],
      ...programFiles(launch.executable),
      ...["--chdir", "/tmp", "--clearenv"],
      ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
      "--",
      launch.executable,
      ...launch.arguments(SEEN),
    ],
    env: { PATH: SYSTEM_PATH, LANG: "C", ...markerOf(env) },
  };
}

const markerOf = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.endsWith("_MARKER")));

/**
 * An official archive outside /usr is bound with its whole folder, known by the data folder beside the
 * executable; a single file (in somebody's home, say) brings nothing of its neighbourhood in.
 */
function programFiles(executable: string): string[] {
  if (executable.startsWith("/usr/")) return [];
  const folder = dirname(executable);
  const archive =
    basename(executable) === "blender" &&
    folder !== "/" &&
    readdirSync(folder).some((name) => /^\d+\.\d+$/.test(name) && existsSync(`${folder}/${name}/scripts`));
  const bound = archive ? folder : executable;
  return ["--ro-bind", bound, bound];
}

/** What Blender may know of the hardware; device nodes of a GPU only when the job asks for one. */
function devices(launch: Launch): string[] {
  // Processors alone: the rest of /sys names this machine's disks and networks.
  if (launch.device === "CPU") return ["--ro-bind-try", "/sys/devices/system", "/sys/devices/system"];
  const nodes = readdirSync("/dev").filter(
    (name) => name.startsWith("nvidia") || name === "dri" || name === "kfd",
  );
  return [
    ...["--ro-bind-try", "/sys", "/sys"],
    ...nodes.flatMap((name) => ["--dev-bind-try", `/dev/${name}`, `/dev/${name}`]),
  ];
}
