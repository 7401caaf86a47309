import { fileURLToPath } from "node:url";

/** The package's contracts folder: the modules stand beside the schemas, for sources and for the build alike. */
export const contractsFolder = (): string =>
  fileURLToPath(
    new URL(import.meta.url.endsWith(".ts") ? "../../contracts" : "../../../contracts", import.meta.url),
  );
