/** What a module of ours exports; one that is given by its bytes in base64. Its compilation takes a millisecond. */
export const instantiate = (base64: string): WebAssembly.Instance["exports"] =>
  new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(base64, "base64"))).exports;

const PAGE_BYTES = 65_536;

/** The memory, grown to at least that size: views that were made of it before are empty then. */
export function memoryOf(memory: WebAssembly.Memory, bytes: number): ArrayBuffer {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  return memory.buffer;
}
