import { errorsPage } from "./errors-page.ts";
import { jsonSchemas } from "./json-schemas.ts";

/** Every generated file: path from the project's root, and its text. */
export const generatedFiles = (): Map<string, string> =>
  new Map([...jsonSchemas(), ["docs/ERRORS.md", errorsPage()]]);
