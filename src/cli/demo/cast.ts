import { join } from "node:path";
import { SLOTS, type Slot } from "../../../contracts/flow.ts";
import { writeDurable } from "../../core/files/write-durable.ts";
import type { GatewayClient } from "../../gateway-client/client.ts";

/** Token files of the demo's people. */
export interface Cast {
  readonly workers: Readonly<Record<Slot, string>>;
  readonly checker: string;
}

/** Registers two workers and a checker; each gets a token file of its own. */
export async function registerCast(client: GatewayClient, folder: string): Promise<Cast> {
  const keep = async (name: string, token: string): Promise<string> => {
    const path = join(folder, `${name}.token`);
    await writeDurable(path, `${token}\n`, 0o600);
    return path;
  };
  const worker = async (slot: Slot): Promise<string> => {
    const { value } = await client.registerWorker({
      name: `demo worker ${slot}`,
      operator: null,
      public_key: null,
    });
    return await keep(`worker-${slot}`, value.token);
  };
  const [a, b] = [await worker(SLOTS[0]), await worker(SLOTS[1])];
  const { value } = await client.registerChecker({ name: "demo checker" });
  return { workers: { a, b }, checker: await keep("checker", value.token) };
}
