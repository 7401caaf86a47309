import type { AdministrationFlags } from "./administration.ts";

export interface GatewayServeFlags {
  data: string;
  host: string;
  port: number;
  tlsCert?: string;
  tlsKey?: string;
  behindProxy?: true;
  pageToken?: true;
  store?: string;
  blobs?: string;
  rateLimit: number;
  maxConnections: number;
  json?: true;
}

export interface BackupFlags {
  data: string;
  out: string;
  withAdminToken?: true;
  store?: string;
  blobs?: string;
  json?: true;
}

export interface RestoreFlags {
  from?: string;
  data?: string;
  store?: string;
  json?: true;
}

export interface NewAdminTokenFlags {
  data: string;
  store?: string;
  json?: true;
}

export interface CheckFlags {
  data?: string;
  store?: string;
  blobs?: string;
  quick?: true;
  json?: true;
}

export interface GcFlags extends AdministrationFlags {
  olderThan: number;
  dryRun?: true;
}
