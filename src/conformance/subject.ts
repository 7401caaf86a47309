/** What is played on. The consumer's side of it: the command line gives one. */
export interface Subject {
  readonly url: string;
  readonly adminToken: string;
  readonly allowInsecure: boolean;
  /** Null for a gateway of others: what needs its process is not applicable there. */
  readonly process: SubjectProcess | null;
}

export interface SubjectProcess {
  /** Ends the gateway with SIGKILL and starts it again on the same data; its URL may be another. */
  killAndRestart(): Promise<{ url: string }>;
  /** Runs `render-child --drain-only` on a state folder to its end. */
  drain(child: {
    stateFolder: string;
    url: string;
    slot: string;
    tokenFile: string;
  }): Promise<{ exitCode: number; outcome: string }>;
}
