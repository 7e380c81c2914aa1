/**
 * Keeps the keys of stacks, as HashiCorp's Vault does for the engine. A passphrase would cost each run of the engine most of a second
 * of processor time.
 */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "../../support/listening.ts";

let started: Promise<Readonly<Record<string, string>>> | undefined;

/** What the engine needs to reach the service, which lives as long as the process. */
export function keyService(): Promise<Readonly<Record<string, string>>> {
  started ??= start();
  return started;
}

/** What `stack init` is given. */
export const KEY = "hashivault://acme";

async function start(): Promise<Readonly<Record<string, string>>> {
  const server = createServer(async (request, response) => {
    const { plaintext, ciphertext } = JSON.parse(await text(request)) as Record<string, string | undefined>;
    response.setHeader("content-type", "application/json");
    // The key of a stack is random, and nothing is gained by concealing it here.
    response.end(JSON.stringify({ data: { ciphertext: plaintext, plaintext: ciphertext } }));
  }).unref();
  return { VAULT_SERVER_URL: (await listen(server)).url, VAULT_SERVER_TOKEN: "token" };
}
