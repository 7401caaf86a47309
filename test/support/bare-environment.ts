/** Of this process's environment what a command needs; the compile cache only spares time. */
export function bareEnvironment() {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}
