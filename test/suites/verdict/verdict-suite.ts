import { describe, expect, test } from "vitest";
import type { Verdict } from "../../../contracts/documents/verdict.ts";
import { VerdictEnvelope } from "../../../contracts/documents/verdict.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { registerChecker } from "../../../src/gateway/people/checkers.ts";
import { postVerdict } from "../../../src/gateway/queue/post-verdict.ts";
import { readObject } from "../../../src/gateway/queue/read-object.ts";
import { latestVerdict } from "../../../src/gateway/queue/read-verdict.ts";
import { reopen, reopenVersion } from "../../../src/gateway/queue/reopen.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import type { StoreUnderTest } from "../gateway/queue-bench.ts";
import { judged, object, verdictOn } from "./judged.ts";

/** Posting verdicts and reopening what was judged, at the level of the store: any store passes it. */
export function verdictSuite(sut: StoreUnderTest): void {
  describe(`${sut.name}: verdicts`, () => {
    test("a verdict is an object built on both slot objects, with its digest recomputed at every read", async () => {
      const bench = await judged(sut);
      const { queue, checker } = bench;
      const verdict = await verdictOn(bench);
      const posted = await postVerdict(queue, checker, verdict);
      expect(posted).toMatchObject({
        answer: { object_key: "shot-1.join", version_num: 1, sha256_hash: sha256(canonicalBytes(verdict)) },
        replayed: false,
        superseded: false,
      });
      const envelope = VerdictEnvelope.parse(await readObject(queue, object("shot-1.join")));
      expect(envelope).toMatchObject({
        version_num: 1,
        version_count: 1,
        checker_uuid: checker,
        producer_agent: "checker",
        integrity_status: "verified",
        payload: verdict,
      });
      expect(envelope.built_on_edges.map((edge) => [edge.target_object_key, edge.pinned_sha256])).toEqual([
        ["shot-1.a", verdict.built_on.a.sha256_hash],
        ["shot-1.b", verdict.built_on.b.sha256_hash],
      ]);
      const digest = { ...object("shot-1.join"), sha256: posted.answer.sha256_hash };
      expect(await readObject(queue, digest)).toEqual(envelope);
    });

    test("the same verdict of the same checker again is the same version, after a restart and a reopening too", async () => {
      const bench = await judged(sut);
      const verdict = await verdictOn(bench);
      const first = await postVerdict(bench.queue, bench.checker, verdict);
      bench.clock.seconds += 10;
      await reopen(bench.queue, "shot-1.b", "PNG_CRC");
      const queue = await bench.restart();
      const again = await postVerdict(queue, bench.checker, verdict);
      expect(again).toEqual({ answer: first.answer, replayed: true, superseded: true });
      expect(await codeOfPromise(readObject(queue, object("shot-1.join", 2)))).toBe("object_version_unknown");
    });

    test("another checker and another verdict are versions of their own", async () => {
      const bench = await judged(sut);
      const { queue, checker, clock } = bench;
      const other = (await registerChecker(queue.store, clock, "other")).checker_uuid;
      const verdict = await verdictOn(bench);
      const versions = [
        await postVerdict(queue, checker, verdict),
        await postVerdict(queue, other, verdict),
        await postVerdict(queue, checker, { ...verdict, report_sha256: sha256("another report") }),
      ];
      expect(versions.map((posted) => posted.answer.version_num)).toEqual([1, 2, 3]);
    });

    test("verdicts that arrive together are versions one after another, and the same one is one", async () => {
      const bench = await judged(sut);
      const verdict = await verdictOn(bench);
      const reports = ["1", "2", "3", "4", "1", "2"].map((name) => sha256(name));
      const posted = await Promise.all(
        reports.map((report_sha256) =>
          postVerdict(bench.queue, bench.checker, { ...verdict, report_sha256 }),
        ),
      );
      const versions = posted.map(({ answer }) => answer.version_num);
      expect([...new Set(versions)].sort()).toEqual([1, 2, 3, 4]);
      expect(versions.slice(4)).toEqual(versions.slice(0, 2));
      expect(posted.filter(({ replayed }) => replayed)).toHaveLength(2);
    });

    test.each<[string, string, (verdict: Verdict) => Partial<Verdict>]>([
      ["an unknown job", "job_unknown", () => ({ job_id: "shot-2" })],
      ["another job's digest", "pin_mismatch", () => ({ job_sha256: sha256("another") })],
      ["another gateway", "pin_mismatch", () => ({ gateway_id: "g_00000000-0000-4000-8000-00000000ffff" })],
      [
        "a version that is not there",
        "pin_mismatch",
        ({ built_on }) => ({ built_on: { ...built_on, b: { ...built_on.b, version_num: 2 } } }),
      ],
      ["another digest", "pin_mismatch", ({ built_on }) => ({ built_on: { ...built_on, a: built_on.b } })],
    ])("a verdict on %s is refused and leaves nothing: %s", async (_name, code, change) => {
      const bench = await judged(sut);
      const verdict = await verdictOn(bench);
      const posting = postVerdict(bench.queue, bench.checker, { ...verdict, ...change(verdict) });
      expect(await codeOfPromise(posting)).toBe(code);
      expect(await codeOfPromise(readObject(bench.queue, object("shot-1.join")))).toBe("object_unknown");
      const events = await bench.queue.store.read((rows) => rows.eventsAfter({ tx: 0, id: 0 }, 100));
      expect(events.filter(({ kind }) => kind === "verdict_posted")).toEqual([]);
    });

    test("a verdict on a version that was reopened since is kept and says so", async () => {
      const bench = await judged(sut);
      const { queue, checker, workers, win } = bench;
      const verdict = await verdictOn(bench);
      await reopen(queue, "shot-1.b", "PNG_CRC");
      expect(await postVerdict(queue, checker, verdict)).toMatchObject({
        answer: { version_num: 1 },
        superseded: true,
      });
      await win(workers[2], "b");
      const envelope = VerdictEnvelope.parse(await readObject(queue, object("shot-1.join")));
      expect(envelope.built_on_edges.map((edge) => edge.upstream_newer_version_available)).toEqual([
        false,
        true,
      ]);
      expect(envelope.built_on_edges[1]).toMatchObject({ pinned_version_num: 1, latest_target_version: 2 });
    });

    test("the latest verdict of a job is told with its checker, and whether it still is about what there is", async () => {
      const bench = await judged(sut);
      const { queue, checker } = bench;
      const latest = () => queue.store.read((rows) => latestVerdict(rows, "shot-1"));
      expect(await latest()).toBeNull();
      await postVerdict(queue, checker, await verdictOn(bench));
      await postVerdict(queue, checker, await verdictOn(bench, { verdict: "accepted", finding_codes: [] }));
      expect(await latest()).toEqual({
        version: 2,
        verdict: "accepted",
        findingCodes: [],
        reportSha256: sha256("report"),
        checker: "checker",
        checkerUuid: checker,
        createdAt: 100,
        superseded: false,
      });
      await reopen(queue, "shot-1.a", "JOIN_FRAMES");
      expect(await latest()).toMatchObject({ version: 2, superseded: true });
    });

    test("each posting is one event", async () => {
      const bench = await judged(sut);
      const { queue, checker } = bench;
      const verdict = await verdictOn(bench);
      await postVerdict(queue, checker, verdict);
      await postVerdict(queue, checker, verdict);
      const events = await queue.store.read((rows) => rows.eventsAfter({ tx: 0, id: 0 }, 100));
      const detail = canonicalBytes({
        verdict: "rejected",
        report_sha256: verdict.report_sha256,
        version: 1,
      }).toString();
      expect(events.filter(({ kind }) => kind === "verdict_posted")).toMatchObject([
        { at: 100, jobId: "shot-1", workerUuid: null, detail },
      ]);
    });
  });

  describe(`${sut.name}: reopening a version`, () => {
    test("only the version that is done now is reopened, and a newer result is never taken away", async () => {
      const bench = await judged(sut);
      const { queue, workers, win } = bench;
      const b = (version: number) => ({ taskId: "shot-1.b", version });
      expect(await codeOfPromise(reopenVersion(queue, b(2), "PNG_CRC"))).toBe("not_done");
      expect(await reopenVersion(queue, b(1), "PNG_CRC")).toMatchObject({ version: 2, state: "ready" });
      expect(await codeOfPromise(reopenVersion(queue, b(1), "PNG_CRC"))).toBe("version_superseded");
      expect(await codeOfPromise(reopenVersion(queue, b(2), "PNG_CRC"))).toBe("not_done");
      await win(workers[2], "b");
      expect(await codeOfPromise(reopenVersion(queue, b(1), "PNG_CRC"))).toBe("version_superseded");
      expect((await queue.store.read((rows) => rows.task("shot-1.b")))?.state).toBe("done");
    });
  });
}
