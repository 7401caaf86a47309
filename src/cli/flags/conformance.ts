export interface ConformanceListFlags {
  search?: string;
  json?: true;
}
export interface ConformanceRunFlags {
  gateway?: string;
  adminTokenFile?: string;
  allowInsecure?: true;
  config?: string;
  report?: string;
  json?: true;
}
