/**
 * A service before an emulator that repeats everything it ever received, and every secret of the test, wherever JSON
 * has room.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Json, JsonObject } from "../../src/model/json/json.ts";
import type { Canaries } from "./canary.ts";

export interface EchoService {
  readonly url: string;
  /** Everything that was received, including headers. */
  readonly heard: () => string;
  /** Everything that was answered. */
  readonly said: () => string;
  /**
   * What is done with writes from now on: handed on, refused in words that quote them, or handed on without a true
   * answer.
   */
  readonly writes: (how: "pass" | "refuse" | "garble") => void;
  /** Called before a write is answered. */
  readonly onWrite: (look: () => Promise<void>) => void;
}

export async function echoService(target: string, canaries: Canaries): Promise<EchoService> {
  let heard = "";
  let said = "";
  let how: "pass" | "refuse" | "garble" = "pass";
  let look = (): Promise<void> => Promise.resolve();
  const server = createServer((request, response) => {
    const answerTo = async (body: string): Promise<void> => {
      const { method = "GET", url = "/", headers } = request;
      heard += `${method} ${url} ${JSON.stringify(headers)}\n${body}\n`;
      const isWrite = method !== "GET";
      if (isWrite) await look();
      const answer = await forward(
        target,
        { method, url, key: headers.authorization ?? "", body },
        isWrite && how === "refuse",
      );
      const quoted = { ...canaries, heard: body, authorization: headers.authorization ?? "" };
      const text =
        isWrite && how === "garble" ? `{"id": ${JSON.stringify(quoted)}` : JSON.stringify(tainted(answer.body, quoted));
      const status = isWrite && how === "refuse" ? 400 : answer.status;
      const full = status >= 400 && !isMissingRoute(answer.body) ? JSON.stringify(complaint(quoted)) : text;
      said += full;
      response.writeHead(status, {
        "content-type": "application/json",
        "x-echo": encodeURIComponent(body).slice(0, 500),
      });
      response.end(status === 204 ? undefined : full);
    };
    void textOf(request).then(answerTo);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    heard: () => heard,
    said: () => said,
    writes: (wanted) => {
      how = wanted;
    },
    onWrite: (wanted) => {
      look = wanted;
    },
  };
}

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly key: string;
  readonly body: string;
}

async function forward(
  target: string,
  sent: Sent,
  isKept: boolean,
): Promise<{ readonly status: number; readonly body: Json }> {
  if (isKept) return { status: 400, body: null };
  const answer = await fetch(`${target}${sent.url}`, {
    method: sent.method,
    headers: { authorization: sent.key, "content-type": "application/json" },
    ...(sent.body === "" ? {} : { body: sent.body }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : (JSON.parse(text) as Json) };
}

/** That a service lacks a route is known by these words alone. */
function isMissingRoute(body: Json): boolean {
  return typeof body === "object" && body !== null && "detail" in body && body.detail === "Endpoint not found.";
}

/** A refusal that quotes everything in every field and in additional fields. */
function complaint(quoted: Canaries): Json {
  const all = Object.values(quoted).join(" ");
  const base64 = Buffer.from(all).toString("base64");
  return {
    type: `validation_error ${all}`,
    code: `invalid ${quoted["plain"] ?? ""}`,
    detail: `no: ${all} ${JSON.stringify(quoted)} ${encodeURIComponent(all)} ${base64} password='${quoted["plain"] ?? ""}'`,
    attr: `config__${quoted["url"] ?? ""}`,
    extra: { ...quoted },
  };
}

/**
 * The value with the quoted texts under unknown keys, as keys, as numbers, nested and in lists, in every object and
 * `config`.
 */
function tainted(value: Json, quoted: Canaries): Json {
  if (Array.isArray(value)) return value.map((item: Json) => tainted(item, quoted));
  if (typeof value !== "object" || value === null) return value;
  const own = Object.entries(value as JsonObject).map(([key, item]) => [key, tainted(item, quoted)] as const);
  if (!("id" in value) && !("bucket_name" in value)) return Object.fromEntries(own);
  return {
    ...Object.fromEntries(own),
    zz_unknown: Object.values(quoted),
    zz_nested: { deep: [{ ...quoted }], number: Number(quoted["number"]) },
    ...Object.fromEntries(Object.values(quoted).map((text) => [`zz ${text}`, 1])),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
