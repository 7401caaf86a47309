import type { Json } from "../../../contracts/json.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { JsonFault } from "./fault.ts";

export type { Json };

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isSpace = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What a text may have at most: LIMITS.jsonBytes where nothing is said; any number of values and of different keys. */
export interface JsonCaps {
  readonly bytes?: number;
  readonly values?: number;
  readonly keys?: number;
}

/**
 * Parses RFC 8259 JSON from attacker-controlled bytes and refuses what JSON.parse lets through: duplicate
 * keys, integers beyond 2^53-1, numbers that overflow, lone surrogates, bytes that are not UTF-8 (a byte
 * order mark too), depth over 64, size, values or keys over their caps. Throws JsonFault and nothing
 * else. Objects have no prototype surprises: `__proto__` is an ordinary key.
 */
export function parseStrict(bytes: Uint8Array, caps: JsonCaps = {}): Json {
  const { bytes: maxBytes = LIMITS.jsonBytes } = caps;
  if (bytes.byteLength > maxBytes) throw new JsonFault("too_large", maxBytes);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new JsonFault("not_utf8", 0);
  }
  return new Parser(text, caps).document();
}

class Parser {
  private at = 0;
  private readonly text: string;
  private readonly keys = new Set<string>();
  private readonly keysAtMost: number;
  private valuesLeft: number;
  constructor(text: string, caps: JsonCaps) {
    this.text = text;
    this.keysAtMost = caps.keys ?? Number.POSITIVE_INFINITY;
    this.valuesLeft = caps.values ?? Number.POSITIVE_INFINITY;
  }

  document(): Json {
    const value = this.value(0);
    this.space();
    if (this.at !== this.text.length) throw this.fault();
    return value;
  }

  private value(depth: number): Json {
    this.space();
    if (this.valuesLeft === 0) throw new JsonFault("too_many_values", this.at);
    this.valuesLeft -= 1;
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
      const key = this.key();
      if (Object.hasOwn(members, key)) throw new JsonFault("duplicate_key", start);
      this.space();
      this.need(":");
      const value = this.value(depth);
      if (key === "__proto__") keepOwn(members, key, value);
      else members[key] = value;
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

  private key(): string {
    const start = this.at;
    const key = this.string();
    this.keys.add(key);
    if (this.keys.size > this.keysAtMost) throw new JsonFault("too_many_values", start);
    return key;
  }

  private string(): string {
    const start = this.at;
    let escaped = false;
    let at = start + 1;
    for (;;) {
      const unit = this.text.charCodeAt(at);
      if (unit === QUOTE) break;
      if (unit === BACKSLASH) escaped = true;
      else if (!(unit >= 0x20)) throw this.fault(); // RFC 8259 section 7; NaN is the end of the text
      at += unit === BACKSLASH ? 2 : 1;
    }
    this.at = at + 1;
    if (!escaped) return this.text.slice(start + 1, at); // UTF-8 has no lone surrogates
    const out = this.unescaped(start);
    if (!out.isWellFormed()) throw new JsonFault("lone_surrogate", start);
    return out;
  }

  /** The escapes of a string whose end is known; JSON.parse takes exactly those of RFC 8259. */
  private unescaped(start: number): string {
    try {
      return JSON.parse(this.text.slice(start, this.at));
    } catch {
      throw new JsonFault("syntax", start);
    }
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
    while (isSpace(this.text.charCodeAt(this.at))) this.at += 1;
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

/** An assignment to `__proto__` would set the prototype. */
function keepOwn(members: { [key: string]: Json }, key: string, value: Json): void {
  Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
}
