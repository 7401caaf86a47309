import { faultOf, type Line } from "./line.ts";

const MOST_OFFSET_SECONDS = 5;

/** What doctor needs of a gateway's client. */
export interface GatewayProbe {
  wellKnown(): Promise<{ readonly gatewayId: string }>;
  /** Seconds that the gateway's clock was ahead of this machine's when it answered; null when it did not say. */
  clockOffset(): number | null;
  /** Any call that needs the token; null when there is none. */
  readonly authenticated: (() => Promise<unknown>) | null;
}

/** Whether the gateway answers, what its clock says, and whether it takes the token. */
export async function examineGateway(probe: GatewayProbe | null): Promise<Line[]> {
  if (probe === null) return [];
  const gateway = await tried("gateway", async () => (await probe.wellKnown()).gatewayId);
  if (gateway.state !== "ok") return [gateway];
  const answered = [gateway, clockLine(probe.clockOffset())];
  if (probe.authenticated === null) return answered;
  const { authenticated } = probe;
  const token = await tried("token", async () => {
    await authenticated();
    return "accepted";
  });
  return [...answered, token];
}

/** Leases are counted by the gateway and by monotonic clocks: an offset costs due times, not work. */
function clockLine(offset: number | null): Line {
  const far = offset === null || Math.abs(offset) > MOST_OFFSET_SECONDS;
  return {
    subject: "clock",
    state: far ? "warning" : "ok",
    detail: offset === null ? "the gateway does not tell its time" : `the gateway is ${offset} s ahead`,
    action: far ? "Let both machines keep their time (NTP)." : null,
  };
}

async function tried(subject: string, work: () => Promise<string>): Promise<Line> {
  try {
    return { subject, state: "ok", detail: await work(), action: null };
  } catch (thrown) {
    return faultOf(subject, thrown);
  }
}
