import { livingProcesses, markerOf, type ProcessEntry, peakResidentBytes, pidNamespaceOf } from "./proc.ts";

const keyOf = (entry: ProcessEntry): string => `${entry.pid}:${entry.startTicks}`;

/**
 * Everything that came from one started process: its group and session, its descendants (also those that were
 * seen once and then moved to another parent), whoever carries the marker, whoever lives in a PID namespace with
 * one of these.
 */
export class Family {
  private readonly root: number;
  private readonly marker: string;
  private readonly known = new Set<string>();
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
    const members = new Set(candidates.filter((entry) => this.isMember(entry, reused)));
    addDescendants(members, candidates);
    this.addNamespaces(members, candidates);
    addDescendants(members, candidates);
    for (const entry of members) this.remember(entry);
    return [...members];
  }

  private isMember(entry: ProcessEntry, reused: boolean): boolean {
    if (this.known.has(keyOf(entry))) return true;
    if (!reused && (entry.group === this.root || entry.session === this.root)) return true;
    return markerOf(entry.pid) === this.marker;
  }

  /**
   * A namespace counts while a member lives in it at this look: once it is over, the kernel gives its number to
   * the next one, which may be the Blender of another run.
   */
  private addNamespaces(members: Set<ProcessEntry>, candidates: readonly ProcessEntry[]): void {
    const found = new Set([...members].map((entry) => pidNamespaceOf(entry.pid)));
    found.delete(null);
    found.delete(this.ownNamespace);
    if (found.size === 0) return;
    for (const entry of candidates)
      if (!members.has(entry) && found.has(pidNamespaceOf(entry.pid))) members.add(entry);
  }

  private remember(entry: ProcessEntry): void {
    this.known.add(keyOf(entry));
    this.peak = Math.max(this.peak, peakResidentBytes(entry.pid));
  }
}

function addDescendants(members: Set<ProcessEntry>, candidates: readonly ProcessEntry[]): void {
  const numbers = new Set([...members].map((entry) => entry.pid));
  for (let grown = true; grown; ) {
    const more = candidates.filter((entry) => numbers.has(entry.parent) && !members.has(entry));
    for (const entry of more) {
      members.add(entry);
      numbers.add(entry.pid);
    }
    grown = more.length > 0;
  }
}
