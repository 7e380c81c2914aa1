/**
 * Caches the GET answers of the emulator. Building and serializing a page then does not count as time of the client. The
 * measured time is that of the client, the sockets and the latency.
 */
import { createServer, request, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
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
    // A write may change any list.
    if (method !== "GET") answers.clear();
    const key = `${method} ${url}`;
    const answer = answers.get(key) ?? ask(target, incoming);
    void reply(answer, outgoing, due).then((status) => method === "GET" && status === 200 && answers.set(key, answer));
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

async function reply(asked: Promise<Answer>, outgoing: ServerResponse, due: number): Promise<number> {
  const { status, headers, body } = await asked;
  const wait = due - performance.now();
  if (wait > 0) await setTimeout(wait);
  outgoing.writeHead(status, headers).end(body);
  return status;
}

async function ask(target: string, incoming: IncomingMessage): Promise<Answer> {
  const forward = request(new URL(incoming.url ?? "/", target), {
    method: incoming.method ?? "GET",
    headers: incoming.headers,
  });
  incoming.pipe(forward);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    forward.once("response", resolve).once("error", reject);
  });
  const { connection: _own, "transfer-encoding": _chunks, ...headers } = answer.headers;
  const body = await buffer(answer);
  return { status: answer.statusCode ?? 500, headers: { ...headers, "content-length": body.length }, body };
}
