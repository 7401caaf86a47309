import { expect, test } from "vitest";
import { KEPT_KEYWORDS } from "../../../contracts/documents/frame-metadata.ts";
import { type MetadataWish, readMetadata } from "../../../src/render-child/metadata.ts";

const WISH: MetadataWish = { keywords: KEPT_KEYWORDS, folder: "/nowhere", hostNames: ["Anna-PC"] };
const latin1 = (text: string): string => Buffer.from(text).toString("latin1");

test("what Blender writes is kept by keyword, and nothing that was not asked for", () => {
  const text = {
    File: "/home/anna/scene.blend",
    Hostname: "anna-pc",
    Date: "2026/11/30 14:07:52",
    Time: "00:00:08:13",
    Frame: "205",
    FrameRange: "1:250",
    Camera: "Camera.001",
    Lens: "50.00",
    Scene: latin1("Küche (Nacht)"),
    RenderTime: "00:01.18",
    Memory: "12.78M",
    "cycles.ViewLayer.samples": "64",
  };
  expect(readMetadata(WISH, 205, text)).toEqual({
    frame: 205,
    text: {
      Camera: "Camera.001",
      Frame: "205",
      FrameRange: "1:250",
      Lens: "50.00",
      Memory: "12.78M",
      RenderTime: "00:01.18",
      Scene: "Küche (Nacht)",
      Time: "00:00:08:13",
    },
    withheld: [],
  });
  const few = readMetadata({ ...WISH, keywords: ["RenderTime"] }, 205, text);
  expect(few).toEqual({ frame: 205, text: { RenderTime: "00:01.18" }, withheld: [] });
});

test.each([
  ["a path", "/home/anna/shot"],
  ["a path of Windows", "C:\\Users\\anna"],
  ["a folder", "shots/12"],
  ["a file's name", "secret.blend"],
  ["a host's name", "render01.studio.example"],
  ["an address", "10.0.0.12"],
  ["this machine's name, in other letters", "cam ANNA-pc 1"],
  ["a URL", "https://example"],
  ["a mail address", "anna@example"],
  ["an escape sequence", "Cam\u001b[2J"],
  ["a newline", "Cam\nera"],
  ["a mirrored name", latin1("Cam\u202eera")],
  ["an invisible one", latin1("Cam\u200bera")],
  ["markup", "<script>"],
  ["bytes that are no UTF-8", "\xff\xfe"],
  ["nothing", ""],
  ["65 letters", "x".repeat(65)],
])("%s in a name is withheld", (_, value) => {
  expect(readMetadata(WISH, 1, { Camera: value, Scene: value })).toEqual({
    frame: 1,
    text: {},
    withheld: ["Camera", "Scene"],
  });
});

test.each(["Frame", "FrameRange", "Lens", "Memory", "RenderTime", "Time"] as const)(
  "%s holds a figure or is withheld",
  (keyword) => {
    for (const value of [
      "/etc/passwd",
      "anna-pc",
      "1 ",
      "-",
      "1e9",
      "0x10",
      "1:2:3:4:5:6",
      "\u0661",
      "9".repeat(30),
    ])
      expect(readMetadata(WISH, 1, { [keyword]: value }).withheld).toEqual([keyword]);
  },
);

test("a keyword that every object has is none of a frame's", () => {
  expect(readMetadata(WISH, 1, Object.create({ Scene: "inherited" }))).toEqual({
    frame: 1,
    text: {},
    withheld: [],
  });
});
