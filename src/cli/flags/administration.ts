/** How an administrator reaches a gateway: by its data folder on this machine, or by URL and token. */
export interface AdministrationFlags {
  data?: string;
  gateway?: string;
  adminTokenFile?: string;
  allowInsecure?: true;
  json?: true;
}
