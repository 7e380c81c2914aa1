import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** A request as it came over the socket. */
export interface Wired {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What a test answers in the service's place, or what has to happen before; undefined lets the request through. */
export type Hook = (request: Wired) => Answer | undefined | Promise<Answer | undefined>;

/** Between a client and the service: a socket of the test's own, which sees every request. It ends with the test. */
export interface Wire {
  readonly url: string;
  readonly seen: readonly Wired[];
  /** How many bytes the answers of the service had, without their headers. */
  readonly received: () => number;
}

export async function startWire(target: string, hook: Hook = () => undefined): Promise<Wire> {
  const seen: Wired[] = [];
  let received = 0;
  const server = createServer((incoming, outgoing) => void answerTo(incoming, outgoing));
  const answerTo = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const wired = { method: incoming.method ?? "", path: (incoming.url ?? "").split("?")[0] ?? "" };
    seen.push(wired);
    const answer = await hook(wired);
    if (answer === undefined) return pass(target, incoming, outgoing, (bytes) => (received += bytes));
    incoming.resume();
    outgoing.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
  };
  const url = await listen(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url, seen, received: () => received };
}

/** The host that the client asked for stays in the headers: links of the service go by it. A broken answer is passed on broken. */
function pass(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onBytes: (bytes: number) => void,
): void {
  const { method, headers, url = "/" } = incoming;
  const forward = send(new URL(url, target), { method: method ?? "GET", headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.on("data", (chunk: Buffer) => onBytes(chunk.length));
    answer.pipe(outgoing);
    answer.on("aborted", () => outgoing.destroy());
  });
  forward.on("error", () => outgoing.destroy());
  incoming.pipe(forward);
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${String(typeof address === "object" && address !== null ? address.port : 0)}`);
    });
  });
}
