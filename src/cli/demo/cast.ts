import { join } from "node:path";
import { writeDurable } from "../../core/files/write-durable.ts";
import type { GatewayClient } from "../../gateway-client/client.ts";

/** Token files of the demo's people. */
export interface Cast<Name extends string> {
  worker(name: Name): string;
  readonly checker: string;
}

/** Registers a worker for each name, and a checker; each gets a token file of its own. */
export async function registerCast<Name extends string>(
  client: GatewayClient,
  names: readonly Name[],
  folder: string,
): Promise<Cast<Name>> {
  const fileOf = (name: string): string => join(folder, `${name}.token`);
  const keep = (name: string, token: string) => writeDurable(fileOf(name), `${token}\n`, { mode: 0o600 });
  for (const name of names) {
    const person = { name: `demo worker ${name}`, operator: null, public_key: null };
    await keep(`worker-${name}`, (await client.registerWorker(person)).value.token);
  }
  await keep("checker", (await client.registerChecker({ name: "demo checker" })).value.token);
  return { worker: (name) => fileOf(`worker-${name}`), checker: fileOf("checker") };
}
