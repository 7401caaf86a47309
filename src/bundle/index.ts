/** `render-handoff/bundle`: the strict reader of a bundle, and the writer of the canonical layout. */
export type { Fault } from "../core/fault.ts";
export {
  type BundleCaps,
  type BundleMember,
  type BundleSource,
  type BundleVerdict,
  bundleFromBuffer,
  extractMember,
  type MemberVerdict,
  openBundleFile,
  type ReadBundleOptions,
  readBundle,
} from "./read.ts";
export { type NewMember, type WriteBundleOptions, type WrittenBundle, writeBundle } from "./write.ts";
