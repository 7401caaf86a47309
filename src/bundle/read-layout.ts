import { type Fault, fault } from "../core/fault.ts";
import type { MemberExtent } from "./read-local-headers.ts";

/** ZIP rule 3: the members tile the archive up to the directory, without gap or overlap, in its order. */
export function judgeLayout(extents: readonly MemberExtent[], directoryOffset: number): Fault[] {
  const faults: Fault[] = [];
  const placed = [...extents].sort((left, right) => left.entry.offset - right.entry.offset);
  const moved = placed.find((extent, index) => extent !== extents[index]);
  if (moved !== undefined) faults.push(fault("ZIP_ORDER", moved.entry.where));
  let cursor = 0;
  const meet = (at: number, where: string): void => {
    if (at > cursor) {
      const code = cursor === 0 ? "ZIP_PREFIX" : "ZIP_GAP";
      faults.push(fault(code, where, { actual: `${at - cursor} bytes before` }));
    } else if (at < cursor) {
      faults.push(fault("ZIP_OVERLAP", where, { actual: `${cursor - at} bytes` }));
    }
  };
  for (const { entry, end } of placed) {
    meet(entry.offset, entry.where);
    cursor = Math.max(cursor, end);
  }
  meet(directoryOffset, "central directory");
  return faults;
}
