import { join } from "node:path";

/** Names in a gateway's data folder, and in a backup, which has the same. */
export const DATABASE_FILE = "queue.sqlite";
export const TOKEN_FILE = "admin-token";
/** Of a gateway alone. */
export const RESERVE_FILE = "reserve";

export const blobsFolder = (dataFolder: string): string => join(dataFolder, "blobs");
