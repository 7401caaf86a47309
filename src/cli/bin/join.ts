#!/usr/bin/env node
const args = process.argv.slice(2);
const ahead = args[0] === "verify" ? await import("../decoders-ahead.ts") : null;
ahead?.startAhead(args);
const { main } = await import("../main.ts");
await main("join");
await ahead?.endAhead();
