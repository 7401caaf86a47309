import { request } from "node:http";

/** A call whose answer may be lost on purpose: `after` it has arrived, or `before` it can. */
export interface HistoryCall {
  readonly url: string;
  readonly token: string;
  readonly body: Buffer;
  readonly key: string | null;
  readonly lose: "after" | "before" | null;
}
/** Null: the answer was lost; whether the gateway acted is not known. */
export type HistoryAnswer = {
  readonly status: number;
  readonly replayed: boolean;
  readonly text: string;
} | null;

export const historyCall = ({ url, token, body, key, lose }: HistoryCall): Promise<HistoryAnswer> =>
  new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": String(body.byteLength),
      ...(key === null ? {} : { "idempotency-key": key }),
    };
    const call = request(url, { method: "POST", headers, agent: false }, (answer) => {
      if (lose === "after") {
        call.destroy();
        return resolve(null);
      }
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      answer.on("error", () => resolve(null));
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          replayed: answer.headers["idempotent-replayed"] === "true",
          text,
        }),
      );
    });
    call.setTimeout(5_000, () => call.destroy());
    call.on("error", () => resolve(null));
    call.end(body, () => {
      if (lose === "before") setImmediate(() => call.destroy());
    });
  });
