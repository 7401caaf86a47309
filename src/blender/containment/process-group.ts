import { type Command, environmentOf, type Launch, ownFolders, scriptsFolder } from "./command.ts";

/**
 * Blender as a plain process of this user in a group of its own, for trusted scenes. setpriv ends it with
 * this process; what it leaves behind otherwise is found by the marker.
 */
export function processGroupCommand(launch: Launch): Command {
  return {
    file: "setpriv",
    args: ["--pdeathsig", "KILL", "--", launch.executable, ...launch.arguments(realPaths(launch))],
    env: realEnvironment(launch),
  };
}

export const realPaths = (launch: Launch) => ({
  scene: launch.sceneFolder,
  output: launch.outputFolder,
  facts: ownFolders(launch.runFolder).facts,
  scripts: scriptsFolder(),
});

export const realEnvironment = (launch: Launch): Record<string, string> =>
  environmentOf({ ...ownFolders(launch.runFolder), marker: launch.marker });
