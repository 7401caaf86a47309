import { expect, test } from "vitest";

interface Written {
  readonly type: "chunk" | "asset";
  readonly fileName: string;
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
}

/** The build's own check; a module of the build has no types. */
async function checkImports(files: readonly Written[]): Promise<void> {
  const place = new URL("../../../tools/bundle.mjs", import.meta.url).href;
  const build: { checkImports(written: readonly Written[]): void } = await import(place);
  build.checkImports(files);
}

const chunk = (fileName: string, imports: readonly string[], dynamicImports: readonly string[] = []) =>
  ({ type: "chunk", fileName, imports, dynamicImports }) as const;

test("a bundle imports Node.js, declared dependencies and other files of the bundle", async () => {
  const files = [
    chunk("a.js", ["node:fs", "path", "fastify", "@aws-sdk/client-s3", "b.js"]),
    chunk("b.js", []),
  ];
  await expect(checkImports(files)).resolves.toBeUndefined();
});

test("a build fails whose files import what an installation will not have", async () => {
  const helper = "@oxc-project/runtime/helpers/taggedTemplateLiteral";
  await expect(checkImports([chunk("a.js", ["node:fs", helper])])).rejects.toThrow(`a.js imports ${helper}`);
  // a development dependency is there for the build alone
  await expect(checkImports([chunk("a.js", [], ["vitest"])])).rejects.toThrow("a.js imports vitest");
  await expect(checkImports([chunk("a.js", ["gone.js"])])).rejects.toThrow("a.js imports gone.js");
});
