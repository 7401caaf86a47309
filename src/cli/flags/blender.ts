export interface BlenderFetchFlags {
  pins: string;
  into?: string;
  json?: true;
}
