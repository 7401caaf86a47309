import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ContractAdapter } from "../../contracts/documents/contract-adapter.ts";
import { ContractLedger } from "../../contracts/documents/contract-ledger.ts";
import {
  ContractManifest,
  ContractModule,
  type ModulePin,
} from "../../contracts/documents/contract-module.ts";
import { sha256 } from "../core/digest.ts";
import { HandoffError } from "../core/error.ts";
import { readDocument } from "../core/json/read-document.ts";
import { narrowModuleFile, readModuleFile } from "./read-file.ts";

export interface LoadedModule {
  readonly folder: string;
  readonly pin: ModulePin;
  readonly module: ContractModule;
  readonly ledger: ContractLedger;
}

const MANIFEST = "MANIFEST.json";

/**
 * Reads a module and holds every byte of it against its pin (MANIFEST-01). Fails closed:
 * CONFORMANCE_MODULE_CHANGED names the file that is changed, missing or not listed;
 * CONFORMANCE_MODULE_UNPINNED where no pin has this name and version; CONFORMANCE_MODULE_INVALID.
 */
export async function readModule(folder: string, pins: readonly ModulePin[]): Promise<LoadedModule> {
  const manifestBytes = await readModuleFile(folder, MANIFEST);
  const pin = pinOf(manifestBytes, folder, pins);
  const manifest = narrowModuleFile(ContractManifest, manifestBytes, join(folder, MANIFEST));
  const files = await verifyFiles(folder, manifest);
  const document = <T>(schema: Parameters<typeof narrowModuleFile<T>>[0], name: string): T =>
    narrowModuleFile(schema, listed(files, folder, name), join(folder, name));
  const module = document<ContractModule>(ContractModule, "module.json");
  const ledger = document<ContractLedger>(ContractLedger, "ledger.json");
  if (files.has("adapter.json")) document(ContractAdapter, "adapter.json");
  checkAgreement(folder, { pin, manifest, module, ledger });
  return { folder, pin, module, ledger };
}

/** The pin of exactly these bytes; what is not pinned is named before anything in it is believed. */
function pinOf(manifest: Buffer, folder: string, pins: readonly ModulePin[]): ModulePin {
  const digest = sha256(manifest);
  const pin = pins.find((one) => one.manifest_sha256 === digest);
  if (pin !== undefined) return pin;
  const read = readDocument(ContractManifest, manifest);
  const named = read.ok && pins.some(({ name, version }) => isOf(read.value, { name, version }));
  if (read.ok && !named)
    throw new HandoffError(
      "CONFORMANCE_MODULE_UNPINNED",
      `It is ${read.value.name} ${read.value.version} in ${folder}.`,
    );
  throw new HandoffError(
    "CONFORMANCE_MODULE_CHANGED",
    `It is ${join(folder, MANIFEST)}: another digest than pinned.`,
  );
}

const isOf = (
  left: Pick<ModulePin, "name" | "version">,
  right: Pick<ModulePin, "name" | "version">,
): boolean => left.name === right.name && left.version === right.version;

/** Every listed file with its digest, and no other entry in the folder. */
async function verifyFiles(folder: string, manifest: ContractManifest): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const [name, digest] of Object.entries(manifest.files)) {
    const bytes = await readModuleFile(folder, name);
    if (sha256(bytes) !== digest)
      throw new HandoffError("CONFORMANCE_MODULE_CHANGED", `It is ${join(folder, name)}: another digest.`);
    files.set(name, bytes);
  }
  for (const name of await readdir(folder))
    if (name !== MANIFEST && !files.has(name))
      throw new HandoffError("CONFORMANCE_MODULE_CHANGED", `It is ${join(folder, name)}: not listed.`);
  return files;
}

function listed(files: ReadonlyMap<string, Buffer>, folder: string, name: string): Buffer {
  const bytes = files.get(name);
  if (bytes === undefined)
    throw new HandoffError("CONFORMANCE_MODULE_CHANGED", `It is ${join(folder, name)}: not listed.`);
  return bytes;
}

/** Name and version are those of the manifest; every case is of a rule, every rule of a gateway has a case. */
function checkAgreement(
  folder: string,
  documents: { pin: ModulePin; manifest: ContractManifest; module: ContractModule; ledger: ContractLedger },
): void {
  const wrong = (what: string): never => {
    throw new HandoffError("CONFORMANCE_MODULE_INVALID", `${folder}: ${what}.`);
  };
  const { pin, manifest, module, ledger } = documents;
  if (!isOf(module, pin) || !isOf(manifest, pin))
    wrong("module.json, MANIFEST.json and the pin differ in name or version");
  const ids = module.rules.map((rule) => rule.id);
  if (new Set(ids).size !== ids.length) wrong("a rule stands twice");
  for (const { rule } of ledger.cases)
    if (!ids.includes(rule)) wrong(`a case is of ${rule}, which is no rule`);
  for (const rule of module.rules)
    if (rule.subject !== "module" && !ledger.cases.some((one) => one.rule === rule.id))
      wrong(`${rule.id} has no case`);
}
