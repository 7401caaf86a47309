import { expect, test } from "vitest";
import { readGatewayUrl } from "../../../src/gateway-client/gateway-url.ts";
import { codeOf } from "../../support/code-of.ts";

test.each([
  ["http://127.0.0.1:8080", "127.0.0.1:8080"],
  ["http://localhost", "localhost:80"],
  ["http://[::1]:9", "[::1]:9"],
  ["https://Farm.example/base/", "farm.example:443"],
])("%s is taken, its gate is %s", (url, host) => {
  expect(readGatewayUrl(url, false).host).toBe(host);
});

test("a base path loses its closing slash", () => {
  expect(readGatewayUrl("https://farm.example/base/", false).base).toBe("/base");
});

test.each(["http://farm.example", "http://10.0.0.1:80", "http://127.0.0.1.example"])(
  "%s would show the token to the network",
  (url) => {
    expect(codeOf(() => readGatewayUrl(url, false))).toBe("USAGE_INSECURE_GATEWAY");
    expect(readGatewayUrl(url, true).origin).toBe(new URL(url).origin);
  },
);

test.each(["", "farm", "ftp://farm", "https://a:b@farm", "https://farm/?a=1", "https://farm/#a"])(
  "'%s' is no gateway",
  (url) => {
    expect(codeOf(() => readGatewayUrl(url, true))).toBe("USAGE_ARGUMENT");
  },
);
