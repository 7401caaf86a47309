import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { ChangeEvent, ProgressEvent } from "../../../contracts/wire/events.ts";
import { BACKLOG_BYTES, EventStream } from "../../../src/gateway/http/events/stream.ts";
import { BEGINNING } from "../../../src/gateway/queue/read-events.ts";
import { type EventReader, readEvents } from "../../support/event-reader.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { leased, post } from "../gateway/route-calls.ts";

const follow = async (gateway: TestGateway, query = "", headers = {}): Promise<EventReader> => {
  const reader = await readEvents(`${gateway.url}/q/events${query}`, headers);
  expect(reader.status).toBe(200);
  return reader;
};
const enqueue = (gateway: TestGateway, task_id: string) =>
  post(gateway, "/q/enqueue", {
    token: gateway.adminToken,
    body: { task_id, payload: null, lease_seconds: 60 },
  });

describe("the stream of events", () => {
  test("tells changes with their cursors and the progress of leases without one", async () => {
    const { gateway, worker, held } = await leased();
    const reader = await follow(gateway);
    expect(reader.headers["content-type"]).toBe("text/event-stream");
    await reader.next((told) => told.event === "ready");
    const progress = {
      phase: "render",
      frame: 205,
      frames_done: 0,
      sample: 3,
      samples: 16,
      watchdog_left_s: 170,
    };
    // the first look has nothing to compare with
    await enqueue(gateway, "first");
    await reader.next((told) => told.data["task_id"] === "first");
    await post(gateway, "/q/heartbeat", { token: worker.token, body: { ...held, progress } });
    const moved = await reader.next((told) => told.event === "progress");
    expect(moved.id).toBeNull();
    expect(ProgressEvent.parse(moved.data).progress).toEqual(progress);
    await post(gateway, "/q/release", { token: worker.token, body: { ...held, reason: "RENDER_WATCHDOG" } });
    const released = await reader.next((told) => told.data["kind"] === "released");
    expect(released.id).toBe(ChangeEvent.parse(released.data).cursor);
  });

  test("a reader that comes back with Last-Event-ID is told what it missed, and only that", async () => {
    const gateway = await startGateway();
    const before = await follow(gateway);
    await before.next((told) => told.event === "ready");
    for (const id of ["one", "two"]) await enqueue(gateway, id);
    const { id } = await before.next((told) => told.data["task_id"] === "one");
    before.close();
    await enqueue(gateway, "three");
    const after = await follow(gateway, "?after=0.0", { "last-event-id": id ?? "" });
    await after.next((told) => told.data["task_id"] === "three");
    await enqueue(gateway, "four");
    await after.next((told) => told.data["task_id"] === "four");
    const tasks = after.told.filter((told) => told.event === "change").map((told) => told.data["task_id"]);
    expect(tasks).toEqual(["two", "three", "four"]);
  });

  test("a brief reader is told that something changed, whatever and however often", async () => {
    const { gateway, worker, held } = await leased();
    const reader = await follow(gateway, "?brief=true");
    await reader.next((told) => told.event === "ready");
    await enqueue(gateway, "one");
    await reader.next((told) => told.event === "changed");
    await post(gateway, "/q/heartbeat", { token: worker.token, body: { ...held, progress: null } });
    expect(new Set(reader.told.map((told) => told.event))).toEqual(new Set(["ready", "changed"]));
  });

  test("a cursor that this gateway never gave is answered with a reset, and one that is none is refused", async () => {
    const gateway = await startGateway();
    const reader = await follow(gateway, "?after=0.999");
    await reader.next((told) => told.event === "reset");
    expect((await gateway.call("/q/events?after=x")).code).toBe("invalid_request_shape");
    expect((await gateway.call("/q/events", { headers: { "last-event-id": "x" } })).code).toBe(
      "invalid_request_shape",
    );
  });

  test("is for every role, and on this machine for nobody in particular unless a token is asked for", async () => {
    const gateway = await startGateway({ pageToken: true });
    const { token } = await gateway.registerWorker();
    const checker = await gateway.registerChecker();
    for (const one of [token, checker.token, gateway.adminToken])
      await follow(gateway, "", { authorization: `Bearer ${one}` });
    expect((await gateway.call("/q/events", { token: null })).code).toBe("unauthenticated");
    const proxied = await startGateway({ behindProxy: true });
    expect((await proxied.call("/q/events", { token: null })).code).toBe("unauthenticated");
  });

  test("a foreign name for this machine, or a foreign page, reads nothing without a token", async () => {
    const gateway = await startGateway();
    const { port } = new URL(gateway.url);
    for (const headers of [{ host: `rebound.example:${port}` }, { "sec-fetch-site": "cross-site" }])
      expect((await gateway.call("/q/events", { token: null, headers })).code).toBe("unauthenticated");
    for (const host of [`localhost:${port}`, `[::1]:${port}`, `127.0.0.1:${port}`])
      await follow(gateway, "", { host });
  });

  test("is given to one worker a bounded number of times, and to people all the same", async () => {
    const gateway = await startGateway({ pageToken: true });
    const [greedy, other] = [await gateway.registerWorker(), await gateway.registerWorker()];
    const { call } = gateway;
    const headers = { authorization: `Bearer ${greedy.token}` };
    const readers = await Promise.all(Array.from({ length: 16 }, () => follow(gateway, "", headers)));
    const refused = await call("/q/events", { token: greedy.token });
    expect(refused).toMatchObject({ status: 429, code: "rate_limited" });
    expect(refused.headers["retry-after"]).toBe("5");
    for (const token of [other.token, gateway.adminToken])
      await follow(gateway, "", { authorization: `Bearer ${token}` });
    readers[0]?.close();
    await expect.poll(async () => (await readEvents(`${gateway.url}/q/events`, headers)).status).toBe(200);
  });

  test("ends when the worker that reads it is revoked", async () => {
    const gateway = await startGateway({ pageToken: true });
    const worker = await gateway.registerWorker();
    const reader = await follow(gateway, "", { authorization: `Bearer ${worker.token}` });
    await reader.next((told) => told.event === "ready");
    await post(gateway, `/q/worker/${worker.workerUuid}/revoke`, {
      token: gateway.adminToken,
      body: undefined,
    });
    await reader.ended;
  });

  test("ends when the checker that reads it is revoked, for a page too, and nobody else's does", async () => {
    const gateway = await startGateway({ pageToken: true });
    const [gone, stays] = [await gateway.registerChecker(), await gateway.registerChecker()];
    const [reader, page, other] = [
      await follow(gateway, "", { authorization: `Bearer ${gone.token}` }),
      await follow(gateway, "?brief=true", { cookie: `render_handoff_page=${gone.token}` }),
      await follow(gateway, "", { authorization: `Bearer ${stays.token}` }),
    ];
    for (const one of [reader, page, other]) await one.next((told) => told.event === "ready");
    await post(gateway, `/q/checker/${gone.checkerUuid}/revoke`, {
      token: gateway.adminToken,
      body: undefined,
    });
    await Promise.all([reader.ended, page.ended]);
    const { data } = await other.next((told) => told.data["kind"] === "checker_revoked");
    expect(ChangeEvent.parse(data).detail).toEqual({ checker_uuid: gone.checkerUuid });
    await enqueue(gateway, "later");
    await other.next((told) => told.data["task_id"] === "later");
  });

  test("ends when the gateway closes, which then waits for nothing", async () => {
    const gateway = await startGateway({ timeouts: { closeMs: 60_000 } });
    const readers = [await follow(gateway), await follow(gateway, "?brief=true")];
    await gateway.close();
    await Promise.all(readers.map((reader) => reader.ended));
  });

  test("a stream that ends tells what waits for its reader, and nothing after that", async () => {
    const reader = { place: BEGINNING, brief: false, personUuid: null, untilMs: 0 };
    const stream = new EventStream(reader);
    expect(stream.tell("before")).toBe(true);
    stream.finish();
    expect(stream.tell("after")).toBe(false);
    expect(await text(stream)).toBe("before");
  });

  test("a reader that takes nothing is closed once its backlog is full", () => {
    const reader = { place: BEGINNING, brief: false, personUuid: null, untilMs: 0 };
    const stream = new EventStream(reader);
    const piece = "x".repeat(64 * 1024);
    let told = 0;
    while (stream.tell(piece)) told += piece.length;
    expect(told).toBe(BACKLOG_BYTES);
    expect(stream.destroyed).toBe(true);
    expect(stream.tell(piece)).toBe(false);
  });
});
