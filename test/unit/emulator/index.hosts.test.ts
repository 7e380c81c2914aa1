/** A page in a browser may resolve its own name to this machine: the emulator answers the names that it is meant to have. */
import { request } from "node:http";
import * as fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { startEmulator } from "../../../src/emulator/index.ts";
import { budget } from "../../support/budget.ts";

async function emulator(allowHosts: readonly string[] = []) {
  const started = await startEmulator({ controlPort: 0, allowHosts });
  onTestFinished(() => started.close());
  const ask = (base: string, path: string, host: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { host, authorization: `Bearer ${started.key}` };
      request(new URL(path, base), { headers }, (answer) => resolve(answer.resume().statusCode ?? 0))
        .on("error", reject)
        .end();
    });
  const main = (host: string) => ask(started.url, "/api/organizations/", host);
  return { main, control: (host: string) => ask(started.controlUrl ?? "", "/requests", host) };
}

it.each(["localhost", "LOCALHOST:1", "api.localhost:8010", "127.0.0.1:65535", "127.9.9.9", "[::1]", "[::1]:80"])(
  "a loopback name is answered, with any port: %s",
  async (host) => {
    const { main, control } = await emulator();
    expect([await main(host), await control(host)]).toEqual([200, 200]);
  },
);

it.each(["emulator:8010", "Emulator", "db.internal"])("a name that is allowed is answered: %s", async (host) => {
  const { main, control } = await emulator(["EMULATOR", "db.internal"]);
  expect([await main(host), await control(host)]).toEqual([200, 200]);
});

it("any other host gets 403, from the control interface as well", async () => {
  const { main, control } = await emulator(["db.internal"]);
  const near = fc.constantFrom(
    "localhost.evil.example",
    "evillocalhost",
    "127.0.0.1.evil.example",
    "xdb.internal",
    "db.internal.evil.example",
    "[::2]",
    "0.0.0.0",
    "128.0.0.1",
    "evil.example:8010",
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(near, fc.domain()), async (host) => {
      expect([await main(host), await control(host)]).toEqual([403, 403]);
    }),
    { numRuns: budget(500) },
  );
});
