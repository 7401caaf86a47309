import { type BlenderProbe, examineBlender } from "./examine-blender.ts";
import { examineContainment } from "./examine-containment.ts";
import { examineDisk } from "./examine-disk.ts";
import { examineGateway, type GatewayProbe } from "./examine-gateway.ts";
import { examineNode } from "./examine-node.ts";
import type { Line } from "./line.ts";

export interface ExamineOptions extends BlenderProbe {
  /** Need not be there yet. */
  readonly stateFolder: string;
  /** How the gateway is asked; null when none was named. */
  readonly gateway: GatewayProbe | null;
}

/** What this machine can do, line by line; never throws for what it finds. */
export async function examine(options: ExamineOptions): Promise<Line[]> {
  return [
    examineNode(process.versions.node),
    ...(await examineBlender(options)),
    ...(await examineContainment(options.clock)),
    ...examineDisk(options.stateFolder),
    ...(await examineGateway(options.gateway)),
  ];
}
