import { execFileSync } from "node:child_process";
import { parseAllDocuments } from "yaml";

export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
export type Manifest = { [key: string]: Value };

/** Documents of YAML text; aliases resolved, empty ones left out. */
export const documentsOf = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document): Value => document.toJS())
    .filter((one): one is Manifest => typeof one === "object" && one !== null && !Array.isArray(one));

/** What `kubectl kustomize` makes of a folder. */
export const built = (folder: string): Manifest[] =>
  documentsOf(
    execFileSync("kubectl", ["kustomize", folder], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  );

/** The value at a path of keys and indexes; undefined where it ends early. */
export function at(value: Value | undefined, ...path: readonly (string | number)[]): Value | undefined {
  let here: Value | undefined = value;
  for (const key of path) {
    if (Array.isArray(here) && typeof key === "number") here = here[key];
    else if (typeof here === "object" && here !== null && !Array.isArray(here)) here = here[key];
    else return undefined;
  }
  return here;
}

export const list = (value: Value | undefined): Value[] => (Array.isArray(value) ? value : []);

/** The pod specification that a workload carries. */
export const podOf = (manifest: Manifest): Value | undefined =>
  at(manifest, "spec", "jobTemplate", "spec", "template", "spec") ?? at(manifest, "spec", "template", "spec");

type Validate = { (data: unknown): boolean; errors?: { instancePath: string; keyword: string }[] | null };

/** Faults of a manifest by Kubernetes' own schema, with fields that the schema does not know. */
export async function schemaFaults(manifest: Manifest): Promise<string[]> {
  const { validate }: { validate: Validate } = await import(
    `kubernetes-models/_schemas/${schemaOf(manifest)}`
  );
  const read = new Set<string>();
  const known = validate(watched(manifest, "", read))
    ? []
    : (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
  return [...known, ...unread(manifest, "", read)];
}

/** `apps/v1` and Deployment are `IoK8sApiAppsV1Deployment`. */
function schemaOf(manifest: Manifest): string {
  const parts = String(manifest["apiVersion"]).split("/");
  const [group = "core", version = ""] = parts.length === 1 ? ["core", parts[0]] : parts;
  const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return `IoK8sApi${capital(group.split(".")[0] ?? "")}${capital(version)}${String(manifest["kind"])}`;
}

/** Notes every path that is looked at: Kubernetes' schemas let unknown fields pass, but never look at them. */
const watched = (value: Value, path: string, read: Set<string>): Value =>
  typeof value !== "object" || value === null
    ? value
    : new Proxy(value, {
        get: (target, key) => {
          const inner: unknown = Reflect.get(target, key);
          if (typeof key === "symbol" || inner === undefined || !Object.hasOwn(target, key)) return inner;
          read.add(`${path}/${key}`);
          return watched(inner as Value, `${path}/${key}`, read);
        },
        ownKeys: (target) => {
          for (const key of Object.keys(target)) read.add(`${path}/${key}`);
          return Reflect.ownKeys(target);
        },
      });

const unread = (value: Value, path: string, read: Set<string>): string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        read.has(`${path}/${key}`) ? unread(inner, `${path}/${key}`, read) : [`${path}/${key} unknown`],
      );
