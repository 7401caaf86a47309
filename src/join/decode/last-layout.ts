import { type BundleVerdict, type ReadBundleOptions, readBundle } from "../../bundle/read.ts";
import type { OpenedBundle } from "../../bundle/source.ts";

interface Known {
  readonly identity: string;
  readonly options: ReadBundleOptions;
  readonly verdict: BundleVerdict;
}

/**
 * What a thread's last bundle was found to be. Frames of one bundle are asked for one after the other, and
 * reading its layout takes as long as it has members.
 */
export class LastLayout {
  private last: Known | null = null;

  read({ source, identity }: OpenedBundle & { ok: true }, options: ReadBundleOptions): BundleVerdict {
    const { last } = this;
    if (last !== null && last.identity === identity && equalOptions(last.options, options))
      return last.verdict;
    const verdict = readBundle(source, options);
    this.last = { identity, options, verdict };
    return verdict;
  }
}

function equalOptions(left: ReadBundleOptions, right: ReadBundleOptions): boolean {
  const [mine, theirs] = [left.members, right.members];
  if (mine === null || theirs === null) {
    if (mine !== theirs) return false;
  } else if (mine.length !== theirs.length || !mine.every((name, at) => name === theirs[at])) return false;
  const keys = ["bundleBytes", "memberBytes", "totalBytes"] as const;
  return keys.every((key) => left.caps[key] === right.caps[key]);
}
