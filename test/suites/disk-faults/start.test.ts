import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { scaled, testSeed } from "../../support/scale.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { startFollowed } from "./traced.ts";

// Each flush of a start that has no token yet fails once: token, its folder, blobs, endpoint, its folder.

const FLUSHES = 5;
const PLAYED = scaled(1, FLUSHES);
const first = testSeed() % FLUSHES;
const played = Array.from({ length: PLAYED }, (_, index) => ((first + index) % FLUSHES) + 1);
console.log(`disk faults: flush ${played.join(", ")} of ${FLUSHES} at a start fails`);

test("a start whose flush fails serves nothing and leaves nothing half; the next one has a token and an endpoint", {
  timeout: 60_000 * PLAYED,
}, async () => {
  const dataFolder = join(await temporaryFolder(), "data");
  await (await startGatewayProcess({ dataFolder })).close();
  const [token, endpoint] = [join(dataFolder, "admin-token"), join(dataFolder, "endpoint.json")];
  for (const nth of played) {
    rmSync(token, { force: true });
    const broken = startFollowed(dataFolder, { paths: [], inject: `fsync:error=EIO:when=${nth}` });
    await expect(broken, `flush ${nth}`).rejects.toThrow("GATEWAY_STORE_FAILED");
    expect(existsSync(endpoint), `flush ${nth}`).toBe(false);
    expect(readdirSync(dataFolder).filter((name) => name.endsWith(".partial"))).toEqual([]);
    // the token is there whole or not at all, whoever has read it by now
    const left = existsSync(token) ? readFileSync(token, "utf8").trim() : null;
    const { gateway, done } = await startFollowed(dataFolder, { paths: [dataFolder], inject: null });
    expect(gateway.adminToken, `flush ${nth}`).toBe(left ?? gateway.adminToken);
    expect((await gateway.call("/q/tasks")).status).toBe(200);
    expect(JSON.parse(readFileSync(endpoint, "utf8"))).toMatchObject({ url: gateway.url });
    // its name too is on the disk before anything is served
    expect(await done()).toContain(dataFolder);
    await gateway.close();
  }
});
