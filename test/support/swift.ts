import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

/** What `AWS_*` variables a client of it needs. */
export interface Swift {
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const SERVERS = ["account", "container", "object"] as const;
/**
 * OpenStack Swift with its s3api on loopback: one replica on a folder of its own, one user.
 * The programs, and /etc/swift/swift.conf, which they read whatever they are told, are Debian's. A port that was
 * free can be taken before its server binds it, so a start that fails is tried again with others.
 */
export async function startSwift(): Promise<Swift> {
  for (let tries = 1; ; tries += 1)
    try {
      return await startOnce();
    } catch (thrown) {
      if (tries === 3) throw thrown;
    }
}

async function startOnce(): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), `render-handoff-${process.pid}-`));
  mkdirSync(join(folder, "devices/d1"), { recursive: true });
  const children: ReturnType<typeof spawn>[] = [];
  const stop = async (): Promise<void> => {
    for (const child of children.filter((one) => one.exitCode === null && one.signalCode === null)) {
      const ended = once(child, "close");
      process.kill(-(child.pid ?? 0), "SIGKILL");
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const run = (name: string, port: number, rest: string): void => {
    const file = join(folder, `${name}-server.conf`);
    writeFileSync(file, `${common(folder, port)}\n${rest}`);
    children.push(spawn(`/usr/bin/swift-${name}-server`, [file], { stdio: "ignore", detached: true }));
  };
  try {
    const cache = await freePort();
    const program = ["-l", "127.0.0.1", "-p", String(cache), "-U", "0", "-u", userInfo().username];
    children.push(spawn("/usr/bin/memcached", program, { stdio: "ignore", detached: true }));
    const ports = await Promise.all(SERVERS.map(() => freePort()));
    const rings = SERVERS.flatMap((name, n) => [name, String(ports[n])]);
    execFileSync("/usr/bin/python3", ["-c", RINGS, folder, ...rings], { stdio: "ignore" });
    for (const [n, name] of SERVERS.entries())
      run(
        name,
        ports[n] ?? 0,
        `[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`,
      );
    const port = await freePort();
    run("proxy", port, proxy(cache));
    const endpoint = `http://127.0.0.1:${port}`;
    const gone = (): boolean => children.some((one) => one.exitCode !== null || one.signalCode !== null);
    for (const one of ports) await answers(`http://127.0.0.1:${one}/`, gone);
    await answers(`${endpoint}/healthcheck`, gone);
    const environment = {
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "test:tester",
      AWS_SECRET_ACCESS_KEY: "testing",
    };
    return { environment, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

const common = (folder: string, port: number): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, "devices")}
mount_check = false
log_address = ${join(folder, "no-log")}
`;

const proxy = (cache: number): string => `[pipeline:main]
pipeline = healthcheck cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cache}
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
`;

/** Rings of one device each, made in one start of Python rather than nine of swift-ring-builder. */
const RINGS = `
import sys
from swift.common.ring import RingBuilder
for name, port in zip(sys.argv[2::2], sys.argv[3::2]):
    builder = RingBuilder(1, 1, 0)
    builder.add_dev(dict(region=1, zone=1, ip="127.0.0.1", port=int(port), device="d1", weight=1,
                         replication_ip="127.0.0.1", replication_port=int(port)))
    builder.rebalance()
    builder.get_ring().save(f"{sys.argv[1]}/{name}.ring.gz")
`;

/** Waits until something answers, whatever it says. */
async function answers(url: string, gone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 300 && !gone(); tries += 1) {
    const answer = await fetch(url, { headers: { connection: "close" } }).catch(() => null);
    await answer?.text();
    if (answer !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no answer at ${url}`);
}
