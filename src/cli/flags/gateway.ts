export interface GatewayServeFlags {
  data: string;
  host: string;
  port: number;
  tlsCert?: string;
  tlsKey?: string;
  behindProxy?: true;
  store?: string;
  blobs?: string;
  rateLimit: number;
  maxConnections: number;
  json?: true;
}
