import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { storeFailed } from "../store-failed.ts";

/** The page's own files, read once. */
export interface Assets {
  readonly script: Buffer;
  readonly style: Buffer;
  readonly icon: Buffer;
}

export function readAssets(): Assets {
  const file = (name: string): Buffer =>
    readFileSync(fileURLToPath(new URL(`./assets/${name}`, import.meta.url)));
  try {
    return {
      script: file("page.js"),
      style: Buffer.concat([file("base.css"), file("handoffs.css")]),
      icon: file("page.svg"),
    };
  } catch (thrown) {
    throw storeFailed(thrown);
  }
}
