import { CATALOGUE } from "../../contracts/catalogue.ts";
import { asHandoffError } from "../core/error.ts";
import type { Line } from "./line.ts";

/** What doctor needs of a gateway's client. */
export interface GatewayProbe {
  wellKnown(): Promise<{ readonly gatewayId: string }>;
  /** Any call that needs the token; null when there is none. */
  readonly authenticated: (() => Promise<unknown>) | null;
}

/** Whether the gateway answers, and whether it takes the token. */
export async function examineGateway(probe: GatewayProbe | null): Promise<Line[]> {
  if (probe === null) return [];
  const gateway = await tried("gateway", async () => (await probe.wellKnown()).gatewayId);
  if (gateway.state !== "ok" || probe.authenticated === null) return [gateway];
  const { authenticated } = probe;
  const token = await tried("token", async () => {
    await authenticated();
    return "accepted";
  });
  return [gateway, token];
}

async function tried(subject: string, work: () => Promise<string>): Promise<Line> {
  try {
    return { subject, state: "ok", detail: await work(), action: null };
  } catch (thrown) {
    const error = asHandoffError(thrown);
    return {
      subject,
      state: "fault",
      detail: `${error.code}: ${error.message}`,
      action: CATALOGUE[error.code].action,
    };
  }
}
