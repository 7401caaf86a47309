import type { Clock } from "../../core/clock.ts";
import { makeFolder } from "../../core/files/make-folder.ts";
import { openStore } from "../open-store.ts";
import { makeAdminToken } from "../people/admin-token.ts";
import { storeFailed } from "../store-failed.ts";
import { needDatabase } from "./need-database.ts";

export interface RenewOptions {
  /** Where the new token is put. */
  readonly dataFolder: string;
  readonly storeUrl: string | null;
  readonly clock: Pick<Clock, "wallSeconds" | "uuid">;
}

/**
 * Makes a new administrator's token in the place of the old one, which a gateway takes until it is started anew.
 * Throws GATEWAY_DATA_INVALID for a folder or a database that is no gateway's or of before an upgrade.
 */
export async function renewAdminToken({ dataFolder, storeUrl, clock }: RenewOptions): Promise<void> {
  if (storeUrl === null) {
    await needDatabase(dataFolder);
    await made(dataFolder);
    return;
  }
  const { openPostgresReader } = await import("../queue/postgres/open.ts");
  // gateways of an older version may be serving it: nothing is brought up to date beneath them
  await (await openPostgresReader(storeUrl)).close();
  const store = await openStore({ dataFolder, storeUrl, clock, existing: true });
  try {
    await makeFolder(dataFolder);
    const hash = await made(dataFolder);
    await store.write((rows) => rows.replaceMeta("admin_token_sha256", hash));
  } catch (thrown) {
    throw storeFailed(thrown);
  } finally {
    await store.close();
  }
}

const made = (dataFolder: string): Promise<string> =>
  makeAdminToken(dataFolder).catch((thrown: unknown) => {
    throw storeFailed(thrown);
  });
