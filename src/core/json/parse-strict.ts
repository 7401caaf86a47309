import { LIMITS } from "../../../contracts/limits.ts";
import { JsonFault } from "./fault.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 section 7 excludes exactly these
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const SPACE = /[ \t\n\r]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses RFC 8259 JSON from attacker-controlled bytes and refuses what JSON.parse lets through: duplicate
 * keys, integers beyond 2^53-1, numbers that overflow, lone surrogates, bytes that are not UTF-8 (a byte
 * order mark too), depth over 64, size over the cap. Throws JsonFault and nothing else. Objects have no
 * prototype surprises: `__proto__` is an ordinary key.
 */
export function parseStrict(bytes: Uint8Array, maxBytes: number = LIMITS.jsonBytes): Json {
  if (bytes.byteLength > maxBytes) throw new JsonFault("too_large", maxBytes);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new JsonFault("not_utf8", 0);
  }
  return new Parser(text).document();
}

class Parser {
  private at = 0;
  private readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  document(): Json {
    const value = this.value(0);
    this.space();
    if (this.at !== this.text.length) throw this.fault();
    return value;
  }

  private value(depth: number): Json {
    this.space();
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first === "{" || first === "[") {
      if (depth >= LIMITS.jsonDepth) throw new JsonFault("too_deep", this.at);
      return first === "{" ? this.object(depth + 1) : this.array(depth + 1);
    }
    if (first === "t") return this.word("true", true);
    if (first === "f") return this.word("false", false);
    if (first === "n") return this.word("null", null);
    return this.number();
  }

  private object(depth: number): Json {
    const members: { [key: string]: Json } = {};
    this.at += 1;
    this.space();
    if (this.take("}")) return members;
    for (;;) {
      this.space();
      const start = this.at;
      if (this.text[start] !== '"') throw this.fault();
      const key = this.string();
      if (Object.hasOwn(members, key)) throw new JsonFault("duplicate_key", start);
      this.space();
      this.need(":");
      // defineProperty, so that "__proto__" is a key like any other
      Object.defineProperty(members, key, {
        value: this.value(depth),
        writable: true,
        enumerable: true,
        configurable: true,
      });
      this.space();
      if (this.take("}")) return members;
      this.need(",");
    }
  }

  private array(depth: number): Json {
    const items: Json[] = [];
    this.at += 1;
    this.space();
    if (this.take("]")) return items;
    for (;;) {
      items.push(this.value(depth));
      this.space();
      if (this.take("]")) return items;
      this.need(",");
    }
  }

  private string(): string {
    const start = this.at;
    this.at += 1;
    let out = "";
    for (;;) {
      PLAIN.lastIndex = this.at;
      const plain = PLAIN.exec(this.text)?.[0] ?? "";
      out += plain;
      this.at += plain.length;
      if (this.take('"')) break;
      this.need("\\");
      out += this.escape();
    }
    if (!out.isWellFormed()) throw new JsonFault("lone_surrogate", start);
    return out;
  }

  private escape(): string {
    const letter = this.text[this.at] ?? "";
    this.at += 1;
    if (letter === "u") {
      const hex = this.text.slice(this.at, this.at + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.fault();
      this.at += 4;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const plain = ESCAPES[letter];
    if (plain === undefined) throw this.fault();
    return plain;
  }

  private number(): number {
    NUMBER.lastIndex = this.at;
    const token = NUMBER.exec(this.text)?.[0];
    if (token === undefined) throw this.fault();
    const value = Number(token);
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
      throw new JsonFault("number_range", this.at);
    this.at += token.length;
    return value;
  }

  private word<T extends Json>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.fault();
    this.at += word.length;
    return value;
  }

  private space(): void {
    // most often there is none, which is cheaper to see than to match
    if (this.text.charCodeAt(this.at) > 0x20) return;
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.text)?.[0].length ?? 0;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private need(character: string): void {
    if (!this.take(character)) throw this.fault();
  }

  private fault(): JsonFault {
    return new JsonFault("syntax", this.at);
  }
}
