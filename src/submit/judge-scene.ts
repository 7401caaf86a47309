import type { RenderSettings } from "../../contracts/documents/job.ts";
import type { SceneFacts } from "../blender/facts.ts";
import { HandoffError } from "../core/error.ts";
import { harmless } from "../core/escape.ts";

interface SceneWish {
  readonly allowScripts: boolean;
  readonly allowMissing: boolean;
  readonly engine: RenderSettings["engine"] | null;
}

/** Refuses early what every worker would refuse later, with the list of what is amiss. */
export function judgeScene(facts: SceneFacts, wish: SceneWish): void {
  refuse("RENDER_SCENE_ESCAPES", facts.escaping);
  if (!wish.allowMissing) refuse("RENDER_SCENE_INCOMPLETE", facts.missing);
  if (facts.camera === null) throw new HandoffError("RENDER_SCENE_INVALID", "It has no camera.");
  if (wish.engine === null) refuse("RENDER_ENGINE_UNSUPPORTED", [facts.engine]);
  if (!wish.allowScripts) refuse("RENDER_SCRIPTS_REFUSED", facts.scripts);
  refuse("RENDER_SCENE_WRITES_FILES", facts.file_outputs);
}

function refuse(code: ConstructorParameters<typeof HandoffError>[0], items: readonly string[]): void {
  const details = items.slice(0, 40).map((item) => harmless(item));
  if (details.length > 0) throw new HandoffError(code, `${details.slice(0, 3).join(", ")}.`, { details });
}
