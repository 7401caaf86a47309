import { describe, expect, it } from "vitest";
import { html } from "../../../src/join/report/page/markup.ts";

describe("html", () => {
  it("escapes whatever is put in, in text and in attributes", () => {
    expect(html`<b title="${`"><script>`}">${"<i>&'"}</b>`.text).toBe(
      '<b title="&quot;&gt;&lt;script&gt;">&lt;i&gt;&amp;&#39;</b>',
    );
  });

  it("shows what a reader could be misled by", () => {
    expect(html`${"a\u202eb\u0000c\nd"}`.text).toBe("a\\u{202e}b\\u{0}c\\u{a}d");
  });

  it("takes its own text as it is, lists of it, numbers and nothing", () => {
    const list = [1, 2].map((number) => html`<li>${number}</li>`);
    expect(html`<ul>${list}${null}</ul>`.text).toBe("<ul><li>1</li><li>2</li></ul>");
  });

  it("cuts what is longer than any finding", () => {
    expect(html`${"x".repeat(1_000_000)}`.text).toHaveLength(2_000);
  });
});
