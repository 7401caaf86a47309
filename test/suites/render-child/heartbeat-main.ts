// A process with a heartbeat thread, armed for the gateway of its arguments; prints what becomes of the lease.
import { systemClock as clock } from "../../../src/core/clock.ts";
import { ENDED } from "../../../src/render-child/heartbeat/orders.ts";
import { startHeartbeatThread } from "../../../src/render-child/heartbeat/start.ts";

const [origin = "", gatewayId = "", leaseMs = ""] = process.argv.slice(2);
const thread = startHeartbeatThread({ origin, base: "", token: "secret", gatewayId, clock });
await thread.ready;
const expiresAtMs = clock.monotonicMs() + Number(leaseMs);
thread.shared.extendTo(expiresAtMs);
thread.tell({
  kind: "arm",
  orders: {
    lease: { task_id: "job.a", worker_id: "w_00000000-0000-4000-8000-000000000001", fencing_token: 3 },
    leaseSeconds: 2,
    deadlineMs: clock.monotonicMs() + 60_000,
    silenceMs: 60_000,
    marker: `test-${process.pid}-${clock.uuid()}`,
  },
});
while (thread.shared.ended() === ENDED.no && thread.shared.expiresAtMs() === expiresAtMs)
  await clock.sleep(20);
console.log(thread.shared.ended() === ENDED.no ? "acknowledged" : "lost");
await thread.stop();
