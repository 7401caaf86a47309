/** The part of WebAssembly that is used here: Node.js has it, its types leave it to those of browsers. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    readonly exports: Readonly<Record<string, unknown>>;
    constructor(module: Module);
  }
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
    private constructor();
  }
}
