import { expect, test, vi } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { examineContainment } from "../../../src/doctor/examine-containment.ts";
import { examineDisk } from "../../../src/doctor/examine-disk.ts";

vi.mock("../../../src/core/files/file-system.ts", () => ({
  fileSystemOf: (folder: string) => {
    if (folder === "/unreadable") throw new Error("no such luck");
    return { remote: folder === "/remote" ? "nfs" : null, freeBytes: 1024 ** 3 };
  },
}));
const missing = (detail: string) => ({ available: false, detail });
vi.mock("../../../src/blender/containment/detect.ts", () => ({
  detectContainments: async () => ({
    bwrap: missing("bwrap: not found"),
    unshare: missing("setpriv: not found"),
    "process-group": { available: true, detail: "always" },
  }),
}));

test("little room is a warning, a remote file system a fault, each with what to do", () => {
  expect(examineDisk("/remote")).toEqual([
    { subject: "disk", state: "warning", detail: "1.0 GiB free for /remote", action: expect.any(String) },
    { subject: "file system", state: "fault", detail: "nfs", action: expect.any(String) },
  ]);
});

test("a disk that cannot be looked at is one fault", () => {
  expect(examineDisk("/unreadable")).toMatchObject([{ subject: "disk", state: "fault" }]);
});

test("without bubblewrap the first rung is a warning with what to do, the others say what they are", async () => {
  const lines = await examineContainment(systemClock);
  expect(lines.map(({ subject, state, action }) => [subject, state, action === null])).toEqual([
    ["containment bwrap", "warning", false],
    ["containment unshare", "warning", true],
    ["containment process-group", "ok", true],
  ]);
});
