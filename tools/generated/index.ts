import { apiPage } from "./api-page.ts";
import { errorsPage } from "./errors-page.ts";
import { guardsModule } from "./guards.ts";
import { jsonSchemas } from "./json-schemas.ts";
import { manPages } from "./man-pages.ts";
import { wasmModules } from "./wasm-modules.ts";

/** Every generated file: path from the project's root, and its text. */
export const generatedFiles = (): Map<string, string> =>
  new Map([
    ...jsonSchemas(),
    ...manPages(),
    ...wasmModules(),
    ["docs/API.md", apiPage()],
    ["docs/ERRORS.md", errorsPage()],
    ["src/join/guards.ts", guardsModule()],
  ]);
