/** The built command behind a proxy. `proxies.deep.test.ts` has every kind of proxy, for the package as it is installed. */
import { expect, it, onTestFinished } from "vitest";
import { spawnCli } from "../support/cli.ts";
import { startProxy } from "../support/proxy.ts";
import { makeCertificate, startTls } from "../support/tls.ts";
import { workspace } from "../support/workspace.ts";

it("plan reaches a service with and without TLS through a proxy", async () => {
  const space = await workspace();
  await space.configure({ driftline: 1, organizations: { acme: { name: "Acme Inc" } } });
  const certificate = await makeCertificate(space.folder);
  const secured = await startTls(certificate, space.emulator.url);
  onTestFinished(secured.close);
  const proxy = await startProxy({ credentials: "ada:se cret" });
  onTestFinished(proxy.close);
  const address = proxy.as("ada:se%20cret");
  const world = { HTTP_PROXY: address, HTTPS_PROXY: address, NODE_EXTRA_CA_CERTS: certificate.file };
  for (const { url } of [space.emulator, secured]) {
    const env = { ...space.env, ...world, DRIFTLINE_URL: url };
    const { code, stderr } = await spawnCli(["plan"], { cwd: space.folder, env }).result;
    expect([code, stderr]).toEqual([0, ""]);
    expect(proxy.asked.at(-1)).toBe(new URL(url).host);
  }
  // The service prefers HTTP/2, which is not spoken.
  expect(secured.protocols).toEqual(["http/1.1"]);
});
