import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STANDARD_LIMITS } from "../../../contracts/documents/job.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import {
  at,
  built,
  documentsOf,
  list,
  type Manifest,
  podOf,
  schemaFaults,
  type Value,
} from "../../support/manifests.ts";

const FOLDER = "deploy/kubernetes";
const manifests = built(FOLDER);
const nameOf = (manifest: Manifest): string => `${at(manifest, "kind")} ${at(manifest, "metadata", "name")}`;
const named = (name: string): Manifest => manifests.find((one) => nameOf(one) === name) ?? {};
const pods = manifests.flatMap((one) => {
  const pod = podOf(one);
  return pod === undefined ? [] : [{ name: nameOf(one), pod }];
});
const containersOf = (pod: Value): Value[] => [
  ...list(at(pod, "initContainers")),
  ...list(at(pod, "containers")),
];
const containers = pods.flatMap(({ name, pod }) =>
  containersOf(pod).map((container) => ({ name: `${name}: ${at(container, "name")}`, pod, container })),
);

test("kubectl builds the folder, and every workload is in it", () => {
  expect(manifests.map(nameOf).sort()).toEqual([
    "ConfigMap render-gateway",
    "ConfigMap render-worker",
    "CronJob render-nights",
    "Deployment render-gateway",
    "Namespace render-handoff",
    "NetworkPolicy render-gateway",
    "NetworkPolicy render-worker",
    "PersistentVolumeClaim render-nights",
    "PodDisruptionBudget render-gateway",
    "Service render-gateway",
    "Service render-worker",
    "ServiceAccount render-gateway",
    "ServiceAccount render-worker",
    "StatefulSet render-worker",
  ]);
});

test("the kustomization uses only what an old kubectl reads as a new one does", () => {
  const [kustomization = {}] = documentsOf(readFileSync(`${FOLDER}/kustomization.yaml`, "utf8"));
  const old = ["apiVersion", "kind", "namespace", "resources", "patchesStrategicMerge", "images"];
  expect(Object.keys(kustomization).filter((key) => !old.includes(key))).toEqual([]);
  const files = list(kustomization["resources"]).map(String);
  const patches = list(kustomization["patchesStrategicMerge"]).map(String);
  expect([...files, ...patches, "kustomization.yaml"].sort()).toEqual(readdirSync(FOLDER).sort());
  // kubectl before 1.21 merges lists of these kinds by name, and replaces those of kinds that it does not know
  const patched = patches.flatMap((file) => documentsOf(readFileSync(`${FOLDER}/${file}`, "utf8")));
  expect(new Set(patched.map((one) => one["kind"]))).toEqual(new Set(["Deployment", "StatefulSet"]));
});

test.each(manifests.map((manifest) => [nameOf(manifest), manifest] as const))(
  "%s follows Kubernetes' schema and has no field that it does not know",
  async (_name, manifest) => expect(await schemaFaults(manifest)).toEqual([]),
);

test("the schema check finds a missing field, a wrong type and a misspelt name", async () => {
  const change = async (edit: (pod: Manifest) => void): Promise<string[]> => {
    const copy = structuredClone(named("Deployment render-gateway"));
    const pod = podOf(copy);
    if (typeof pod === "object" && pod !== null && !Array.isArray(pod)) edit(pod);
    return schemaFaults(copy);
  };
  const base = "/spec/template/spec";
  expect(await change((pod) => delete pod["containers"])).toContain(`${base} required`);
  expect(await change((pod) => (pod["terminationGracePeriodSeconds"] = "60"))).toContain(
    `${base}/terminationGracePeriodSeconds type`,
  );
  expect(await change((pod) => (pod["securityContxt"] = {}))).toEqual([`${base}/securityContxt unknown`]);
});

test.each(pods.map(({ name, pod }) => [name, pod] as const))(
  "%s runs without root and without the cluster's token",
  (_name, pod) => {
    expect(at(pod, "automountServiceAccountToken")).toBe(false);
    expect(at(pod, "securityContext")).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 10001,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(at(pod, "hostNetwork") ?? at(pod, "hostPID") ?? at(pod, "hostIPC")).toBeUndefined();
  },
);

test.each(containers.map((one) => [one.name, one] as const))(
  "%s is locked down, pinned and has its volumes",
  (_name, { pod, container }) => {
    expect(at(container, "securityContext")).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(String(at(container, "image"))).toMatch(
      /^registry\.example\/render-handoff-(gateway|child):\d+\.\d+\.\d+$/,
    );
    const templates = list(at(named("StatefulSet render-worker"), "spec", "volumeClaimTemplates"));
    const there = [
      ...list(at(pod, "volumes")).map((volume) => at(volume, "name")),
      ...templates.map((claim) => at(claim, "metadata", "name")),
    ];
    for (const mount of list(at(container, "volumeMounts"))) expect(there).toContain(at(mount, "name"));
  },
);

test("deadlines stand above what a run may take, graces above what an ending takes", () => {
  const seconds = Number(
    at(named("CronJob render-nights"), "spec", "jobTemplate", "spec", "activeDeadlineSeconds"),
  );
  expect(seconds).toBeGreaterThan(STANDARD_LIMITS.run_seconds + STANDARD_LIMITS.watchdog_seconds);
  const ending = (LIMITS.killGraceMs + LIMITS.exchangeMs) / 1_000;
  for (const { name, pod } of pods)
    expect(Number(at(pod, "terminationGracePeriodSeconds")), name).toBeGreaterThan(ending);
});

test("a CronJob never runs twice on purpose, and a failed run is left to the next tick", () => {
  const cron = named("CronJob render-nights");
  expect(at(cron, "spec", "concurrencyPolicy")).toBe("Forbid");
  expect(at(cron, "spec", "jobTemplate", "spec", "backoffLimit")).toBe(0);
  expect(at(podOf(cron), "restartPolicy")).toBe("Never");
});

test("a worker that stays drains its outbox before anything else, and keeps its state", () => {
  const set = named("StatefulSet render-worker");
  const drain = list(at(podOf(set), "initContainers")).find((one) => at(one, "name") === "drain");
  expect(JSON.stringify(drain)).toContain("--drain-only");
  expect(at(set, "spec", "volumeClaimTemplates", 0, "metadata", "name")).toBe("state");
  expect(at(podOf(set), "containers", 0, "lifecycle", "preStop")).toBeDefined();
});

test("a worker may reach the gateway and names, and nobody reaches it", () => {
  const policy = named("NetworkPolicy render-worker");
  expect(at(policy, "spec", "policyTypes")).toEqual(["Ingress", "Egress"]);
  expect(list(at(policy, "spec", "ingress"))).toEqual([]);
  const ports = list(at(policy, "spec", "egress")).flatMap((rule) =>
    list(at(rule, "ports")).map((port) => at(port, "port")),
  );
  expect(ports).toEqual([8140, 53, 53]);
  const labels = pods
    .filter(({ name }) => name !== "Deployment render-gateway")
    .map(
      ({ name }) =>
        at(
          named(name),
          "spec",
          "jobTemplate",
          "spec",
          "template",
          "metadata",
          "labels",
          "render-handoff/role",
        ) ?? at(named(name), "spec", "template", "metadata", "labels", "render-handoff/role"),
    );
  expect(labels).toEqual(["worker", "worker"]);
});

test("gateways of two versions never run beside each other on one store", () => {
  expect(at(named("Deployment render-gateway"), "spec", "strategy")).toEqual({ type: "Recreate" });
});

test("no token and no password stands in a manifest", () => {
  expect(manifests.filter((one) => one["kind"] === "Secret")).toEqual([]);
  const text = JSON.stringify(manifests);
  expect(text).not.toMatch(/rh[awc]_[A-Za-z0-9]/);
  expect(text).not.toMatch(/postgres:\/\/[^/]*:[^/]*@/);
});
