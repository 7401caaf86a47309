import { z } from "zod";
import { plainRecord } from "../../contracts/plain-record.ts";
import { readDocument } from "../core/json/read-document.ts";

const Config = plainRecord(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])));

/** The configuration file: a JSON object from flag names to values. */
export const readConfig = (bytes: Buffer): ReturnType<typeof readDocument<z.infer<typeof Config>>> =>
  readDocument(Config, bytes);
