/** A variable inside of a text, from the command line through the plan to the service, and from a saved plan as well. */
import { expect, it } from "vitest";
import { QUERY, stored, web } from "../support/acme.ts";
import { workspace } from "../support/workspace.ts";

it("is stored as it was written, also by a saved plan", async () => {
  const space = await workspace();
  await space.configure("file: 0474915\n", "vars.yaml");
  const insight = (name: string): object => ({ name, description: "${var:file}", query: QUERY });
  await space.configure(web({ insights: { a: insight("Release ${var:version}"), b: insight("${var:version}") } }));
  const options = ["--var", "version= 1.10\n&x", "--vars", "vars.yaml"];
  expect((await space.run(["plan", ...options, "--out", "plan.json"])).code).toBe(0);
  expect((await space.run(["apply", "--plan", "plan.json", "--yes"])).code).toBe(0);
  expect(stored(space, "insight")).toEqual([" 1.10\n&x", "Release  1.10\n&x"]);
  expect(stored(space, "insight", "description")).toEqual(["0474915", "0474915"]);
});
