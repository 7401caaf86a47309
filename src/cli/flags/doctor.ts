export interface DoctorFlags {
  blender?: string;
  gateway?: string;
  tokenFile?: string;
  allowInsecure?: true;
  json?: true;
}
