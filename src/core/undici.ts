import type { Agent as AgentType, Dispatcher } from "undici";
// its index loads all the rest of it too (fetch, caches, mocks, proxies): 13 MB for nothing
import requestBy from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";

export type { AgentType, Dispatcher };
export { Agent };

/** One request through this agent; undici's own `request` of a dispatcher. */
export const requestThrough = (
  dispatcher: Dispatcher,
  request: Parameters<typeof requestBy>[0],
): Promise<Dispatcher.ResponseData<unknown>> => requestBy.call(dispatcher, request);
