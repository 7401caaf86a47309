import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rawMember } from "../../../src/join/envelope/raw-member.ts";

const raw = (text: string, ...path: string[]): string | undefined =>
  rawMember(Buffer.from(text), path)?.toString();

describe("rawMember", () => {
  it("takes the white space out of a value and leaves it inside strings", () => {
    expect(raw('{ "a" : { "b" : [ 1 , " x \\" y " , { } ] } }', "a", "b")).toBe('[1," x \\" y ",{}]');
  });

  it("keeps numbers and escapes as they were written", () => {
    expect(raw('{"p": {"n": 1.50e+2, "s": "\\u00e9\\/"}}', "p")).toBe('{"n":1.50e+2,"s":"\\u00e9\\/"}');
  });

  it("finds a key that is written with escapes", () => {
    expect(raw('{"\\u0061": true}', "a")).toBe("true");
  });

  it("is null where the member or its object is not there", () => {
    expect(raw('{"a": 1}', "b")).toBeUndefined();
    expect(raw('{"a": [1]}', "a", "b")).toBeUndefined();
    expect(raw("{}", "a")).toBeUndefined();
  });

  it("equals the compact form of any value in any layout", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
        const text = JSON.stringify({ other, payload: value, last: other }, null, 2);
        expect(raw(text, "payload")).toBe(JSON.stringify(value));
      }),
    );
  });
});
