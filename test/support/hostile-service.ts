/** A service that gives the answers of a test over a real socket, and passes every other request on. */
import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as received on the socket. */
export interface Heard {
  readonly method: string;
  /** The path without a slash at the end. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** What a test has to say to a request: an answer of its own, another text of the service's, or nothing. */
export type Trick = (
  heard: Heard,
) =>
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string | readonly string[]>>;
      readonly body?: string | Buffer;
    }
  | { readonly rewrite: (text: string) => string }
  | ((response: ServerResponse) => void)
  | undefined;

export interface HostileService {
  readonly url: string;
  readonly heard: readonly Heard[];
  /** Requests that are not GET. */
  readonly writes: () => readonly Heard[];
  trick: Trick;
}

/** @param target the emulator behind it; without one, what no trick answers is a 404 */
export async function hostileService(target: string | undefined, trick: Trick): Promise<HostileService> {
  const heard: Heard[] = [];
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://host");
    const one: Heard = {
      method: incoming.method ?? "",
      path: pathname.replace(/\/+$/, ""),
      query: searchParams,
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    heard.push(one);
    const said = service.trick(one);
    if (typeof said === "function") return said(outgoing);
    if (said !== undefined && !("rewrite" in said)) return respond(outgoing, said);
    if (target === undefined) return respond(outgoing, { status: 404, body: "{}" });
    const { status, text } = await forward(target, incoming, one);
    respond(outgoing, { status, body: said === undefined || status >= 300 ? text : said.rewrite(text) });
  };
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing).catch(() => outgoing.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const service: HostileService = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    heard,
    writes: () => heard.filter(({ method }) => method !== "GET"),
    trick,
  };
  return service;
}

type Said = Extract<ReturnType<Trick>, { readonly status?: number; readonly body?: string | Buffer }>;

function respond(outgoing: ServerResponse, said: Said): void {
  const {
    status = 200,
    headers = {},
    body = "",
  } = said as { status?: number; headers?: object; body?: string | Buffer };
  outgoing.writeHead(status, { "content-type": "application/json", ...headers });
  outgoing.end(status === 204 ? undefined : body);
}

function forward(
  target: string,
  incoming: IncomingMessage,
  { body, headers }: Heard,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = send(new URL(incoming.url ?? "/", target), { method: incoming.method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 500, text: Buffer.concat(chunks).toString("utf8") }),
      );
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
