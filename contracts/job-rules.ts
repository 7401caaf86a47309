interface Range {
  readonly first: number;
  readonly last: number;
}

/** What the rules look at of a job that passed its schema. */
interface Ruled {
  readonly slots: readonly [Range, Range];
  readonly scene: {
    readonly main: string;
    readonly files: readonly { readonly path: string; readonly bytes: number }[];
  };
  readonly limits: { readonly scene_bytes: number };
  readonly sequence: { readonly index: number; readonly count: number } | null;
  readonly render: { readonly extra: readonly { readonly path: string }[] };
}

/** Rules across fields that the schema cannot state: each broken one as a sentence, none for a good job. */
export function brokenJobRules(job: Ruled): string[] {
  const broken: string[] = [];
  const [a, b] = job.slots;
  if (a.first > a.last || b.first > b.last) broken.push("a slot's first frame is above its last");
  if (b.first !== a.last + 1) broken.push("slot b does not begin where slot a ends");
  if (b.last - a.first >= 10_000) broken.push("more than 10000 frames in one handoff");
  const paths = job.scene.files.map((file) => file.path);
  if (!paths.includes(job.scene.main)) broken.push("scene.main is not among scene.files");
  if (!job.scene.main.toLowerCase().endsWith(".blend")) broken.push("scene.main is not a .blend file");
  const folded = paths.map((path) => path.normalize("NFC").toLowerCase());
  if (new Set(folded).size !== folded.length)
    broken.push("two scene paths differ in case or normal form only");
  const folders = new Set(folded.flatMap((path) => parentsOf(path)));
  if (folded.some((path) => folders.has(path))) broken.push("a scene path is both a file and a folder");
  if (job.scene.files.reduce((sum, file) => sum + file.bytes, 0) > job.limits.scene_bytes)
    broken.push("the scene is larger than scene_bytes");
  if (job.sequence !== null && job.sequence.index >= job.sequence.count)
    broken.push("sequence.index is not below sequence.count");
  const settings = job.render.extra.map((setting) => setting.path);
  if (new Set(settings).size !== settings.length) broken.push("an extra setting stands twice");
  return broken;
}

const parentsOf = (path: string): string[] => {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
};
