import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { HandoffError } from "../../../src/core/error.ts";
import { asRunError } from "../../../src/render-child/run-error.ts";

const system = (code: string): Error => Object.assign(new Error(code), { code });

test.each([
  ["RENDER_DISK_FULL", system("ENOSPC")],
  ["RENDER_DISK_FULL", system("EDQUOT")],
  ["STATE_UNUSABLE", system("EROFS")],
  ["INTERNAL_UNEXPECTED", new TypeError("x")],
  ["LEASE_LOST", new HandoffError("LEASE_LOST")],
])("%s", (code, thrown) => {
  expect(asRunError(thrown).code).toBe(code);
});

test("a full database is a full disk, another fault of it is the state's", () => {
  const database = new DatabaseSync(":memory:");
  const thrownBy = (sql: string): unknown => {
    try {
      database.exec(sql);
      return null;
    } catch (thrown) {
      return thrown;
    }
  };
  expect(asRunError(thrownBy("SELECT * FROM nothing")).code).toBe("STATE_UNUSABLE");
  database.exec("CREATE TABLE t (x BLOB); PRAGMA max_page_count = 2");
  expect(asRunError(thrownBy("INSERT INTO t VALUES (randomblob(100000))")).code).toBe("RENDER_DISK_FULL");
  database.close();
});
