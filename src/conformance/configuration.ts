import { join } from "node:path";
import { ConformanceConfiguration } from "../../contracts/documents/conformance.ts";
import { ContractRegistry } from "../../contracts/documents/contract-module.ts";
import { HandoffError } from "../core/error.ts";
import { contractsFolder } from "./contracts-folder.ts";
import { narrowModuleFile, readModuleFile } from "./read-file.ts";
import { type LoadedModule, readModule } from "./read-module.ts";

const MEMORY_BYTES = 120_000_000;

/** The run that the registry of this package pins. */
export async function standardConfiguration(
  contracts: string = contractsFolder(),
): Promise<ConformanceConfiguration> {
  const bytes = await readModuleFile(contracts, "registry.json");
  const registry = narrowModuleFile(ContractRegistry, bytes, join(contracts, "registry.json"));
  return {
    schema: "render_handoff.conformance_configuration.v1",
    modules: registry.modules,
    memory_bytes: MEMORY_BYTES,
  };
}

/** A configuration from a file; USAGE_FILE_INVALID is for the caller's file, so it is not a module's code. */
export async function readConfiguration(bytes: Buffer, path: string): Promise<ConformanceConfiguration> {
  try {
    return narrowModuleFile(ConformanceConfiguration, bytes, path);
  } catch (thrown) {
    throw new HandoffError("USAGE_FILE_INVALID", path, { cause: thrown });
  }
}

/**
 * The modules of a run: those in `folders`, or all that are pinned and stand in this package. A module of the
 * package that is pinned and not there fails closed.
 */
export async function loadModules(
  configuration: ConformanceConfiguration,
  folders: readonly string[],
): Promise<LoadedModule[]> {
  const named =
    folders.length > 0
      ? folders
      : configuration.modules.map(({ name }) => join(contractsFolder(), "modules", name));
  const modules: LoadedModule[] = [];
  for (const folder of named) modules.push(await readModule(folder, configuration.modules));
  return modules;
}
