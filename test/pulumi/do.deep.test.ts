/** `pulumi do`: objects of the service without a program and without a state. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { engine } from "./support/engine.ts";
import { ACME } from "./support/lives.ts";
import { PACKAGE } from "./support/package.ts";
import { createYamlStack } from "./support/packaged-stack.ts";

const { bin, missing } = engine();
/** The commands on the page for users. */
const SESSION = (await readFile(join(PACKAGE, "docs/pulumi.md"), "utf8"))
  .split("\n")
  .filter((line) => line.startsWith("pulumi do "))
  .map((line) => line.split(" ").slice(1));
const [LIST = [], READ = [], PATCH = [], DELETE = []] = SESSION;

describe.skipIf(missing !== undefined)("pulumi do", () => {
  it("lists, reads, creates, patches and deletes by the ids that it prints", async () => {
    const stack = await createYamlStack(bin);
    const { emulator } = stack;
    emulator.insert("insight", { project: 2 }, { name: "Signups", tags: ["growth"] });
    const run = async (...args: readonly string[]): Promise<string> => {
      // A setting as a flag takes the place of the variable.
      const flags = [
        "--driftline:url",
        emulator.url,
        "--output",
        "json",
        ...(args.includes("--stateless") ? ["--yes"] : []),
      ];
      const { code, output } = await stack.pulumi([...args, ...flags], { DRIFTLINE_URL: "" });
      expect(code, output).toBe(0);
      return output;
    };
    expect(JSON.parse(await run(...LIST))).toEqual([{ id: "2/1", name: "Signups" }]);
    expect(JSON.parse(await run(...READ))).toMatchObject({ id: "1", name: "Signups" });
    await run(...PATCH);
    expect(emulator.find("insight")).toMatchObject([{ name: "Signups", tags: ["growth"], description: "Counted" }]);
    await run(...DELETE);
    expect(JSON.parse(await run(...LIST))).toEqual([]);

    const domain = (...args: readonly string[]): Promise<string> =>
      run(...LIST.slice(0, 3), "driftline:index:Domain", ...args);
    const place = ["--organization-id", ACME];
    await domain("create", ...place, "--domain", "acme.com", "--stateless");
    const [listed] = JSON.parse(await domain("list", ...place)) as { readonly id: string }[];
    expect(listed).toEqual({ id: `${ACME}/${String(emulator.find("domain")[0]?.["id"])}`, name: "acme.com" });
    await domain("delete", listed?.id ?? "", "--stateless");
    expect(JSON.parse(await domain("list", ...place))).toEqual([]);
    expect(await stack.state()).toEqual([]);
  });
});
