import { type ClientRequest, request } from "node:http";
import { text } from "node:stream/consumers";

/** An open page as the gateway sees it: a stream that it follows, and the page again after each change. */
export interface Viewer {
  readonly pages: () => number;
  /** The first page from now on that has the text. */
  shows(wanted: string): Promise<void>;
  close(): void;
}

const QUIET_MS = 400;

export async function openViewer(url: string): Promise<Viewer> {
  let pages = 0;
  let [asking, wanted, closed] = [false, false, false];
  let askedMs = 0;
  const waiting = new Set<{ text: string; found: () => void }>();
  const ask = async (): Promise<void> => {
    askedMs = performance.now();
    const page = await fetch(url).then((answer) => answer.text());
    pages += 1;
    for (const one of [...waiting]) if (page.includes(one.text)) one.found();
  };
  const refresh = (): void => {
    if (closed) return;
    if (asking) {
      wanted = true;
      return;
    }
    asking = true;
    wanted = false;
    setTimeout(
      () =>
        void ask()
          .catch(() => {})
          .finally(() => {
            asking = false;
            if (wanted) refresh();
          }),
      Math.max(0, askedMs + QUIET_MS - performance.now()),
    );
  };
  const stream = await follow(`${url}/q/events?brief=true`, refresh);
  return {
    pages: () => pages,
    shows: (wantedText) =>
      new Promise((resolve) => {
        const one = {
          text: wantedText,
          found: () => {
            waiting.delete(one);
            resolve();
          },
        };
        waiting.add(one);
      }),
    close: () => {
      closed = true;
      stream.destroy();
    },
  };
}

const follow = (url: string, told: () => void): Promise<ClientRequest> =>
  new Promise((resolve, reject) => {
    const stream = request(url, { agent: false }, async (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(await text(answer)));
      answer.on("data", (data) => {
        if (String(data).includes("event:")) told();
      });
      answer.on("error", () => {});
      resolve(stream);
    });
    stream.on("error", reject);
    stream.end();
  });
