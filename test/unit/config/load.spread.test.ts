import { expect, it } from "vitest";
import { loadGood } from "./helpers.ts";

it("a loaded configuration can be spread with another graph: nothing in it is computed when it is read", async () => {
  const loaded = await loadGood("driftline: 1\norganizations: { acme: { name: Acme Inc } }\n");
  const lazy = Object.entries(Object.getOwnPropertyDescriptors(loaded)).filter(([, one]) => !("value" in one));
  expect(lazy.map(([name]) => name)).toEqual([]);
});
