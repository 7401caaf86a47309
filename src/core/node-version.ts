/** As `engines` in package.json says it. */
export const LEAST_MAJOR = 24;

export const nodeIsTooOld = (version: string): boolean => Number.parseInt(version, 10) < LEAST_MAJOR;
