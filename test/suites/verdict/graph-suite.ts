import { describe, expect, test } from "vitest";
import { postVerdict } from "../../../src/gateway/queue/post-verdict.ts";
import { readGraph } from "../../../src/gateway/queue/read-graph.ts";
import { reopen } from "../../../src/gateway/queue/reopen.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import type { JobBench } from "../gateway/job-bench.ts";
import type { StoreUnderTest } from "../gateway/queue-bench.ts";
import { judged, verdictOn } from "./judged.ts";

/** What was built on what, at the level of the store: any store passes it. */
export function graphSuite(sut: StoreUnderTest): void {
  describe(`${sut.name}: provenance graph`, () => {
    const nodes = async (bench: JobBench, key: string, version: number | null = null) => {
      const graph = await readGraph(bench.queue, { key, version });
      return {
        nodes: graph.nodes.map((node) => `${node.object_key}/${node.version_num}`),
        edges: graph.edges.map(
          (edge) =>
            `${edge.source_object_key}/${edge.source_version_num} ${edge.target_object_key}/${edge.pinned_version_num}`,
        ),
      };
    };

    /** Rejected, slot b again, accepted. */
    async function twice(): Promise<Awaited<ReturnType<typeof judged>>> {
      const bench = await judged(sut);
      await postVerdict(bench.queue, bench.checker, await verdictOn(bench));
      await reopen(bench.queue, "shot-1.b", "PNG_CRC");
      await bench.win(bench.workers[2], "b");
      const accepted = await verdictOn(bench, { verdict: "accepted", finding_codes: [] });
      await postVerdict(bench.queue, bench.checker, accepted);
      return bench;
    }

    test("a rejected and an accepted verdict rest on the versions that they saw", async () => {
      const bench = await twice();
      expect(await nodes(bench, "shot-1.join")).toEqual({
        nodes: ["shot-1.a/1", "shot-1.b/1", "shot-1.b/2", "shot-1.join/1", "shot-1.join/2"],
        edges: [
          "shot-1.join/1 shot-1.a/1",
          "shot-1.join/1 shot-1.b/1",
          "shot-1.join/2 shot-1.a/1",
          "shot-1.join/2 shot-1.b/2",
        ],
      });
    });

    test("a named version is that version alone, and from a slot one sees the verdicts that rest on it", async () => {
      const bench = await twice();
      expect(await nodes(bench, "shot-1.join", 2)).toEqual({
        nodes: ["shot-1.a/1", "shot-1.b/2", "shot-1.join/2"],
        edges: ["shot-1.join/2 shot-1.a/1", "shot-1.join/2 shot-1.b/2"],
      });
      expect(await nodes(bench, "shot-1.b", 1)).toEqual({
        nodes: ["shot-1.b/1", "shot-1.join/1"],
        edges: ["shot-1.join/1 shot-1.b/1"],
      });
      expect((await nodes(bench, "shot-1.a")).edges).toHaveLength(2);
    });

    test("its nodes tell who made them and how many versions there are", async () => {
      const bench = await twice();
      const graph = await readGraph(bench.queue, { key: "shot-1.join", version: 1 });
      expect(graph.truncated).toBe(false);
      expect(graph.nodes).toMatchObject([
        { category: "render_slot_result", producer_id: bench.workers[0], version_count: 1, verdict: null },
        { category: "render_slot_result", producer_id: bench.workers[1], version_count: 2, verdict: null },
        { category: "join_verdict", producer_id: bench.checker, version_count: 2, verdict: "rejected" },
      ]);
    });

    test("an object without verdicts is a graph of one, and an unknown one is refused", async () => {
      const bench = await judged(sut);
      expect(await nodes(bench, "shot-1.a")).toEqual({ nodes: ["shot-1.a/1"], edges: [] });
      const asked = (key: string, version: number | null) =>
        codeOfPromise(readGraph(bench.queue, { key, version }));
      expect(await asked("shot-1.join", null)).toBe("object_unknown");
      expect(await asked("shot-1.a", 2)).toBe("object_version_unknown");
    });
  });
}
