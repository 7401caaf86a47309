/** Executables that are known by their digest: what a package or an archive of that name holds. */
export const KNOWN_BUILDS: readonly { readonly sha256: string; readonly name: string }[] = [
  {
    sha256: "4f4a7cd28cfd806d5b834edbc7b4485b1221007bceef40b9076c439b32377985",
    name: "Debian bookworm amd64, blender 3.4.1+dfsg-2+b1",
  },
];

export const knownBuild = (sha256: string): string | null =>
  KNOWN_BUILDS.find((build) => build.sha256 === sha256)?.name ?? null;
