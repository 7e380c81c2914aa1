/**
 * A service in front of the emulator that remembers its answers to GET, so that neither making a page nor turning it into text
 * counts as the client's time: what is measured is the client, the sockets and the latency.
 */
import { createServer, request, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

export interface Cache {
  readonly url: string;
  /** Paths of the requests since the last call, in order. */
  readonly take: () => readonly string[];
}

/** @param latencyMs from a request to its answer */
export async function startCache(target: string, latencyMs: number): Promise<Cache> {
  const answers = new Map<string, Promise<Answer>>();
  let paths: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const due = performance.now() + latencyMs;
    const { method = "GET", url = "/" } = incoming;
    paths.push(url.split("?")[0] ?? "");
    // What was written may be seen in every list.
    if (method !== "GET") answers.clear();
    const answer = answers.get(url) ?? ask(target, incoming);
    void answer.then((known) => {
      if (method === "GET" && known.status === 200) answers.set(url, answer);
      const wait = due - performance.now();
      if (wait <= 0) send(outgoing, known);
      else setTimeout(() => send(outgoing, known), wait);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    take: () => {
      const taken = paths;
      paths = [];
      return taken;
    },
  };
}

function send(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  outgoing.writeHead(status, headers).end(body);
}

function ask(target: string, incoming: IncomingMessage): Promise<Answer> {
  const { method, url = "/", headers } = incoming;
  return new Promise((resolve, reject) => {
    const forward = request(new URL(url, target), { method: method ?? "GET", headers }, (answer) => {
      const { connection: _own, "transfer-encoding": _chunks, ...given } = answer.headers;
      buffer(answer).then((body) => {
        const headers = { ...given, "content-length": body.length };
        resolve({ status: answer.statusCode ?? 500, headers, body });
      }, reject);
    });
    forward.on("error", reject);
    incoming.pipe(forward);
  });
}
