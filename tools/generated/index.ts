import { errorsPage } from "./errors-page.ts";
import { jsonSchemas } from "./json-schemas.ts";
import { manPages } from "./man-pages.ts";

/** Every generated file: path from the project's root, and its text. */
export const generatedFiles = (): Map<string, string> =>
  new Map([...jsonSchemas(), ...manPages(), ["docs/ERRORS.md", errorsPage()]]);
