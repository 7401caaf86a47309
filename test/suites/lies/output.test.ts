import { expect, test } from "vitest";
import { fixtureBlender } from "../../support/child.ts";
import { type Lie, runOfLie } from "../../support/lying-blender.ts";

/** The tiny Blender writes good frames; the wrapper changes what lies there and still ends with 0. */
const HONEST = fixtureBlender("honest");
const CASES: [string, string, string, Lie][] = [
  [
    "no frame at all",
    "RENDER_FRAME_MISSING",
    "frame_0205.png",
    { after: "[os.remove(frame(n)) for n in (205, 206, 207)]" },
  ],
  ["an empty frame", "RENDER_FRAME_MISSING", "frame_0206.png", { after: "os.truncate(frame(206), 0)" }],
  ["a truncated frame", "RENDER_FRAME_INVALID", "PNG_TRUNCATED", { after: "os.truncate(frame(206), 60)" }],
  [
    "a frame too many",
    "RENDER_FRAME_UNEXPECTED",
    "frame_0208.png",
    { after: "shutil.copy(frame(205), frame(208))" },
  ],
  [
    "a file beside the frames",
    "RENDER_FRAME_UNEXPECTED",
    "Image0205.png",
    { after: 'open(out + "/Image0205.png", "w").close()' },
  ],
  [
    "stereo suffixes",
    "RENDER_FRAME_UNEXPECTED",
    "frame_0205_L.png",
    { after: 'os.rename(frame(205), out + "/frame_0205_L.png")' },
  ],
  [
    "a symbolic link as a frame",
    "RENDER_FRAME_NOT_REGULAR",
    "frame_0207.png",
    { after: 'os.rename(frame(207), out + "/../x"); os.symlink("../x", frame(207))' },
  ],
  [
    "a FIFO as a frame",
    "RENDER_FRAME_NOT_REGULAR",
    "frame_0205.png",
    { after: "os.remove(frame(205)); os.mkfifo(frame(205))" },
  ],
  [
    "a folder as a frame",
    "RENDER_FRAME_NOT_REGULAR",
    "frame_0205.png",
    { after: "os.remove(frame(205)); os.mkdir(frame(205))" },
  ],
  [
    "a hard link to another file",
    "RENDER_FRAME_NOT_REGULAR",
    "frame_0205.png",
    {
      after:
        'os.remove(frame(205)); open(out + "/../token", "w").write("secret"); os.link(out + "/../token", frame(205))',
    },
  ],
  [
    "a picture with other bytes after it",
    "RENDER_FRAME_INVALID",
    "PNG_TRAILING",
    { after: 'open(frame(205), "ab").write(b"more")' },
  ],
];

test.each(CASES)(
  "%s, with exit code 0, is %s; the result names %s and the log's last lines",
  async (_, code, named, lie) => {
    const { result, told, state } = await runOfLie(HONEST, lie);
    expect(result).toMatchObject({ outcome: "failed", reason: code, bundle_sha256: null });
    expect(`${result.message}\n${told}`).toContain(named);
    expect(told).toMatch(/log: Saved: '/);
    expect(state).toBe("ready");
  },
);
