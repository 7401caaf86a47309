#!/usr/bin/env node
import { endAhead, startAhead } from "../decoders-ahead.ts";

startAhead(process.argv.slice(2));
const { main } = await import("../main.ts");
await main("join");
await endAhead();
