import { z } from "zod";
import { GatewayId } from "../../contracts/names.ts";

/** Where a gateway serves: endpoint.json of its data folder, and the first line of `gateway serve --json`. */
export const Endpoint = z.object({ url: z.string(), gateway_id: GatewayId });
