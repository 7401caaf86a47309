/** URL of a module beside the caller, as source (.ts) or as built (.js): worker-thread entries are found so. */
export const siblingModule = (importMetaUrl: string, name: string): URL =>
  new URL(`./${name}${importMetaUrl.endsWith(".ts") ? ".ts" : ".js"}`, importMetaUrl);
