/** The modules of undici behind its index, with the index's own types. */
declare module "undici/lib/dispatcher/agent.js" {
  import type { Agent } from "undici";

  const AgentOfUndici: typeof Agent;
  export default AgentOfUndici;
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";

  const request: Dispatcher["request"];
  export default request;
}
