/** The service of a dynamic resource, if its provider and the environment name one each. */
import { expect, it } from "vitest";
import { startEmulator } from "../../src/emulator/index.ts";
import { world } from "./support/world.ts";

const signups = { projectId: 2, name: "Signups" };

it("must be one and the same, and nothing is sent to either if it is not", async () => {
  const other = await startEmulator({});
  const { emulator, provider } = await world({ config: () => ({ "driftline:url": other.url }) });
  await expect(provider.as("insight").create(signups)).rejects.toThrow("DRIFTLINE_URL and driftline:url");
  expect([...emulator.requests, ...other.requests]).toEqual([]);
  await other.close();
});

it("may be written in two ways", async () => {
  const { provider } = await world({ config: ({ url }) => ({ "driftline:url": `${url}/` }) });
  expect((await provider.as("insight").create(signups)).id).not.toBe("");
});
