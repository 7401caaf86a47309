#!/usr/bin/env node
import { endAhead, startAhead } from "../decoders-ahead.ts";
import { endProcess } from "../end-process.ts";

startAhead(process.argv.slice(2));
void import("../main.ts")
  .then(({ main }) => main("join"))
  .finally(endAhead)
  .then(endProcess);
