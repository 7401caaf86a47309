/** The modules of undici behind its index, with the index's own types. */
declare module "undici/lib/dispatcher/agent.js" {
  import type { Agent } from "undici";

  const AgentOfUndici: typeof Agent;
  export default AgentOfUndici;
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";

  /** The index's types leave out that a body can be any asynchronous iterable. */
  type Request = Omit<Dispatcher.RequestOptions, "body"> & {
    readonly body?: Uint8Array | AsyncIterable<Uint8Array> | null;
  };
  function request(this: Dispatcher, options: Request): Promise<Dispatcher.ResponseData<unknown>>;
  export default request;
}
