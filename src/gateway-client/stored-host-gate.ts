import type { DatabaseSync } from "node:sqlite";
import type { HostGate } from "./host-gate.ts";

/** The host gate in the state's database; each call is one commit. */
export function storedHostGate(database: DatabaseSync): HostGate {
  const put = database.prepare(
    "INSERT INTO hosts (host, not_before, held, reason) VALUES (?, ?, ?, ?) ON CONFLICT (host) DO UPDATE " +
      "SET not_before = excluded.not_before, held = excluded.held, reason = excluded.reason",
  );
  const look = database.prepare("SELECT not_before, held, reason FROM hosts WHERE host = ?");
  const meta = database.prepare("SELECT value FROM meta WHERE name = 'gateway_id'");
  return {
    look: (host) => {
      const row = look.get(host);
      const notBefore = row?.["not_before"];
      const reason = row?.["reason"];
      return {
        notBefore: typeof notBefore === "number" ? notBefore : null,
        held: row?.["held"] === 1,
        reason: typeof reason === "string" ? reason : null,
      };
    },
    pause: (host, notBefore, reason) => void put.run(host, notBefore, 0, reason),
    hold: (host, reason) => void put.run(host, null, 1, reason),
    clear: (host) => void database.prepare("DELETE FROM hosts WHERE host = ?").run(host),
    gatewayId: () => {
      const value = meta.get()?.["value"];
      return typeof value === "string" ? value : null;
    },
    rememberGateway: (id) =>
      void database.prepare("INSERT INTO meta (name, value) VALUES ('gateway_id', ?)").run(id),
  };
}
