import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";
import { createClient, type Client, type ClientOptions } from "../../../src/api/client.ts";
import type { Clock } from "../../../src/api/limits/clock.ts";
import { ApiError } from "../../../src/api/errors/errors.ts";
import { createRedactor } from "../../../src/api/redact/redact.ts";

export const KEY = "phx_0123456789abcdef";
export const ORGANIZATION = "0190aa11-1111-4222-8333-444455556666";
export const ID = "0190bb22-1111-4222-8333-444455556666";

/** A request as the server received it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly socket: Socket;
}

export type Handler = (seen: Seen, response: http.ServerResponse, index: number) => unknown;

export interface Server {
  readonly url: string;
  readonly seen: readonly Seen[];
}

/** A server for one test on its own port. It records every request before the handler answers it. */
export async function serve(handler: Handler): Promise<Server> {
  const seen: Seen[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined);
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://host");
      const body = Buffer.concat(chunks).toString("utf8");
      const one = {
        method: request.method ?? "",
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body,
        socket: request.socket,
      };
      handler(one, response, seen.push(one) - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, seen };
}

export function json(
  response: http.ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** The error body of deployed servers. */
export function complaint(code: string, detail = "", attr: string | null = null): unknown {
  return { type: "some_error", code, detail, attr };
}

export interface FakeClock extends Clock {
  /** All sleeps in order. Milliseconds. */
  readonly sleeps: readonly number[];
  advance(ms: number): void;
}

/** A clock whose time passes only by sleeping, without real waits. Random numbers are always 0.5. */
export function fakeClock(random: () => number = () => 0.5): FakeClock {
  let now = Date.UTC(2024, 0, 1);
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    random,
    advance: (ms) => {
      now += ms;
    },
    sleep: async (ms, signal) => {
      if (signal?.aborted === true) return;
      sleeps.push(ms);
      now += ms;
    },
  };
}

/** A client that is closed at the end of the test. */
export function connect(url: string, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({
    url,
    key: KEY,
    mode: "write",
    profile: "posthog",
    clock: fakeClock(),
    redactor: createRedactor(),
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

/** The error of a promise that must reject. */
export async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("it succeeded");
}

/** A promise and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

export const create = (client: Client) =>
  client.request("domains.create", { path: { organization_id: ORGANIZATION }, body: { domain: "acme.com" } });
export const read = (client: Client) =>
  client.request("domains.get", { path: { organization_id: ORGANIZATION, id: ID } });
export const update = (client: Client) =>
  client.request("domains.update", {
    path: { organization_id: ORGANIZATION, id: ID },
    body: { sso_enforcement: "saml" },
  });
export const remove = (client: Client) =>
  client.request("domains.delete", { path: { organization_id: ORGANIZATION, id: ID } });
