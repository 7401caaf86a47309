export interface DoctorFlags {
  blender?: string;
  state?: string;
  gateway?: string;
  tokenFile?: string;
  allowInsecure?: true;
  json?: true;
}
