import { systemClock } from "../../src/core/clock.ts";
import { jsonLogger } from "../../src/core/logger.ts";
import { openGateway } from "../../src/gateway/open.ts";

/**
 * A gateway as its own process: gateway-main.ts DATA [PORT] [FAULT_POINT]; GATEWAY_STORE and GATEWAY_BLOBS are
 * the URLs of a store and of a bucket that it shares. Prints one line of JSON, logs to stderr, ends itself with SIGKILL at the named point,
 * closes on SIGTERM.
 */
const [dataFolder = "", port = "0", fault = ""] = process.argv.slice(2);
const { GATEWAY_STORE: storeUrl, GATEWAY_BLOBS: blobsUrl } = process.env;
const gateway = await openGateway({
  dataFolder,
  host: "127.0.0.1",
  port: Number(port),
  clock: systemClock,
  logger: jsonLogger(systemClock, (line) => process.stderr.write(line)),
  checkAnswers: true,
  reserveBytes: 0,
  ...(storeUrl === undefined ? {} : { storeUrl }),
  ...(blobsUrl === undefined ? {} : { blobsUrl }),
  ...(fault === ""
    ? {}
    : {
        faultPoint: (name) => {
          if (name === fault) process.kill(process.pid, "SIGKILL");
        },
      }),
});
process.once("SIGTERM", () => void gateway.close());
console.log(JSON.stringify({ url: gateway.url, gateway_id: gateway.gatewayId }));
