/** Creates that take effect after the client has given up. They wait for real, so they are deep tests. */
import { describe, expect, it } from "vitest";
import { workspace } from "../support/workspace.ts";
import { applyWithLibrary, configOf, CREATABLE, made } from "./support.ts";

describe("a create that takes effect after the client has given up", () => {
  it.each(CREATABLE)("$name: it is found, and not sent again", async (creatable) => {
    const space = await workspace();
    await space.configure(configOf(creatable.config));
    const slow = space.emulator.faults.add({
      method: "POST",
      path: creatable.path,
      nth: 1,
      fault: { type: "delay-before", ms: 1_200 },
    });
    const outcomes = await applyWithLibrary(space, { headers: 300 });
    expect(outcomes.filter(({ action }) => action === "create")).toMatchObject([{ status: "applied" }]);
    expect([slow.hits, slow.matches, made(space, creatable).length]).toEqual([1, 1, 1]);
  });
});
