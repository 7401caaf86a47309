import { askCapabilities } from "../blender/capabilities.ts";
import { detectContainments } from "../blender/containment/detect.ts";
import { type BlenderIdentity, identifyBlender } from "../blender/identify.ts";
import { knownBuild } from "../blender/known-builds.ts";
import type { Clock } from "../core/clock.ts";
import { faultOf, type Line } from "./line.ts";

export interface BlenderProbe {
  /** The Blender to look at; null looks for one where a run does, which is not the caller's PATH. */
  readonly blender: string | null;
  /** Absolute, for this call alone; the caller removes it. */
  readonly runFolder: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Which Blender would render here, whether its digest is a known one, and what it was built with. */
export async function examineBlender(options: BlenderProbe): Promise<Line[]> {
  try {
    const identity = await identifyBlender({
      path: options.blender,
      cacheFolder: null,
      clock: options.clock,
    });
    const detail = `${identity.version} ${identity.path} sha256 ${identity.sha256}`;
    return [
      { subject: "Blender", state: "ok", detail, action: null },
      pinLine(identity),
      ...(await builtWith(options, identity)),
    ];
  } catch (thrown) {
    return [faultOf("Blender", thrown)];
  }
}

function pinLine(identity: BlenderIdentity): Line {
  const name = knownBuild(identity.sha256);
  return {
    subject: "Blender pin",
    state: name === null ? "warning" : "ok",
    detail: name ?? "this executable's digest is none that this tool knows",
    action:
      name === null
        ? "Jobs pin executables by digest: both workers need one that the job names; 'submit' names the one it runs."
        : null,
  };
}

async function builtWith(options: BlenderProbe, identity: BlenderIdentity): Promise<Line[]> {
  try {
    const report = await detectContainments(options.clock);
    const { engines, denoiser } = await askCapabilities({
      ...options,
      identity,
      containment: report.bwrap.available ? "bwrap" : "process-group",
      marker: `rh-doctor-${options.clock.uuid()}`,
    });
    const cycles = engines.includes("CYCLES");
    return [
      {
        subject: "Blender engines",
        state: cycles ? "ok" : "warning",
        detail: `${engines.join(", ")} (EEVEE and WORKBENCH need a display or a GPU as well; that is not tried here)`,
        action: cycles ? null : "Use a Blender with Cycles.",
      },
      {
        subject: "Blender denoiser",
        state: denoiser ? "ok" : "warning",
        detail: denoiser ? "OpenImageDenoise" : "built without OpenImageDenoise",
        action: denoiser ? null : "Turn denoising off in scenes, or use an official build.",
      },
    ];
  } catch (thrown) {
    return [faultOf("Blender engines", thrown)];
  }
}
