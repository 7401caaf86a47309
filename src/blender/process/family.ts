import { livingProcesses, markerOf, type ProcessEntry, peakResidentBytes, pidNamespaceOf } from "./proc.ts";

const keyOf = (entry: ProcessEntry): string => `${entry.pid}:${entry.startTicks}`;

/**
 * Everything that came from one started process: its group and session, its descendants (also those that were
 * seen once and then moved to another parent), whoever carries the marker, whoever lives in its PID namespace.
 */
export class Family {
  private readonly root: number;
  private readonly marker: string;
  private readonly known = new Set<string>();
  private readonly namespaces = new Set<string>();
  private readonly ownNamespace = pidNamespaceOf("self");
  private rootTicks: number | null = null;
  private peak = 0;

  constructor(root: number, marker: string) {
    this.root = root;
    this.marker = marker;
  }

  /** Highest resident size of any one member that was seen, in bytes. */
  get peakRssBytes(): number {
    return this.peak;
  }

  /** Members that live now. */
  living(): ProcessEntry[] {
    const all = livingProcesses();
    const root = all.find((entry) => entry.pid === this.root);
    if (this.rootTicks === null && root !== undefined) this.rootTicks = root.startTicks;
    // The kernel may give a dead root's number to a stranger, whose group is then none of ours.
    const reused = root !== undefined && root.startTicks !== this.rootTicks;
    // Nothing of the family is older than its root: spares reading most environments.
    const oldest = this.rootTicks ?? 0;
    const candidates = all.filter((entry) => entry.startTicks >= oldest && entry.pid !== process.pid);
    const members = new Map<number, ProcessEntry>();
    for (const entry of candidates) if (this.isMember(entry, reused)) members.set(entry.pid, entry);
    for (let grown = true; grown; ) {
      const more = candidates.filter((entry) => members.has(entry.parent) && !members.has(entry.pid));
      for (const entry of more) members.set(entry.pid, entry);
      grown = more.length > 0;
    }
    const found = [...members.values()];
    for (const entry of found) this.remember(entry);
    return found;
  }

  private isMember(entry: ProcessEntry, reused: boolean): boolean {
    if (this.known.has(keyOf(entry))) return true;
    if (!reused && (entry.group === this.root || entry.session === this.root)) return true;
    if (markerOf(entry.pid) === this.marker) return true;
    const namespace = this.namespaces.size > 0 ? pidNamespaceOf(entry.pid) : null;
    return namespace !== null && this.namespaces.has(namespace);
  }

  private remember(entry: ProcessEntry): void {
    this.known.add(keyOf(entry));
    this.peak = Math.max(this.peak, peakResidentBytes(entry.pid));
    const namespace = pidNamespaceOf(entry.pid);
    if (namespace !== null && namespace !== this.ownNamespace) this.namespaces.add(namespace);
  }
}
