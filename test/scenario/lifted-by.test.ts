/** The record of an apply names the options that lifted a block, and no other. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyJson, config, domains, seedOf, VERIFIED } from "../support/acme.ts";
import { outcomesOf } from "../support/cli.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const GONE = { lifecycle: { state: "absent" } };
const B = "0190aa11-0000-4000-8000-0000000000b1";
const ENFORCED = { id: B, domain: "b.com", ...VERIFIED, sso_enforcement: "github" };
const ALL = { exclusive: ["domains"], domains: {} };
/** The one domain takes the name of the other, whose people sign in with it. */
const TAKEN = {
  domains: { a: { id: "0190aa11-0000-4000-8000-0000000000a1", domain: "b.com" }, b: { id: B, ...GONE } },
};
const ALLOWED = ["--allow-loss", "acme/domains/a", "--allow-loss", "acme/domains/b"];

async function declaring(declared: object): Promise<Workspace> {
  const a = { id: "0190aa11-0000-4000-8000-0000000000a1", domain: "a.com" };
  const space = await workspace({ dialect: "current", seed: seedOf({ domains: [a, ENFORCED] }) });
  await space.configure(config(declared));
  return space;
}

async function liftedBy(space: Workspace, args: readonly string[]): Promise<readonly string[] | undefined> {
  return outcomesOf(await applyJson(space, ...args)).record.lifted_by;
}

describe("what lifted a block", () => {
  it.each<[string, object, readonly string[], readonly string[] | undefined]>([
    [
      "is none without a block",
      { domains: domains(["a.com"]) },
      ["--prune", "--allow-loss", "acme/domains/a-com"],
      undefined,
    ],
    ["is none if the block stays", TAKEN, [], undefined],
    ["is --allow-loss for its own address", TAKEN, ALLOWED.slice(2), ["--allow-loss acme/domains/b"]],
    [
      "is --allow-loss for each address",
      TAKEN,
      ALLOWED,
      ["--allow-loss acme/domains/a", "--allow-loss acme/domains/b"],
    ],
    [
      "is --confirm-organization with the name",
      GONE,
      ["--confirm-organization", "Acme Inc"],
      ["--confirm-organization 'Acme Inc'"],
    ],
    [
      "is --recreate for a pin that names nothing",
      { domains: { c: { id: "0190aa11-0000-4000-8000-0000000000c1", domain: "c.com" } } },
      ["--recreate", "acme/domains/c"],
      ["--recreate acme/domains/c"],
    ],
  ])("%s", async (_name, declared, args, expected) => {
    expect(await liftedBy(await declaring(declared), args)).toEqual(expected);
  });

  it.each<[string, object, readonly string[], readonly string[]]>([
    [
      "without a block",
      { domains: domains(["a.com"]) },
      ["--allow-loss", "acme/domains/a-com"],
      ["acme/domains/a-com"],
    ],
    ["with a block of another rule", ALL, ["--allow-loss", `acme/domains/id=${B}`], [`acme/domains/id=${B}`]],
    ["that is not selected", TAKEN, [...ALLOWED, "--only", "acme/domains/b"], ["acme/domains/a", "acme/domains/b"]],
    ["with a block that it lifts", TAKEN, ALLOWED, []],
  ])("a warning says that --allow-loss lifts nothing at an address %s", async (_name, declared, args, expected) => {
    const { diagnostics } = outcomesOf(await applyJson(await declaring(declared), ...args));
    const found = diagnostics.filter(({ code }) => code === "nothing_to_allow");
    expect(found.map(({ address }) => address)).toEqual(expected);
  });

  it("a value that was typed is suggested once", async () => {
    const { stdout } = await (await declaring(TAKEN)).run(["apply", "--yes", ...ALLOWED.slice(2)]);
    const [line = ""] = stdout.match(/driftline apply .*--allow-loss[^`]*/u) ?? [];
    expect(line.match(/--allow-loss \S+/gu)?.toSorted()).toEqual([
      "--allow-loss acme/domains/a",
      "--allow-loss acme/domains/b",
    ]);
  });

  it("an address that is declared nowhere is refused, and nothing is sent", async () => {
    const space = await declaring(TAKEN);
    const { code } = await applyJson(space, "--allow-loss", "acme/domains/bb");
    expect([code, await liftedBy(space, ALLOWED)]).toEqual([
      10,
      ["--allow-loss acme/domains/a", "--allow-loss acme/domains/b"],
    ]);
  });

  it("is --prune, and --approve with the hash beyond the limit, but neither before both are given", async () => {
    const space = await declaring(ALL);
    const { hash } = await space.plan("--prune");
    expect(await liftedBy(space, ["--prune"])).toBeUndefined();
    expect(await liftedBy(space, ["--prune", "--approve", hash])).toEqual(["--prune", `--approve ${hash}`]);
  });

  it("is the same for a saved plan", async () => {
    const space = await declaring(TAKEN);
    await space.run(["plan", "--out", "plan.json"]);
    expect(await liftedBy(space, ["--plan", "plan.json", ...ALLOWED])).toHaveLength(2);
  });

  it("stands in each format of the record", async () => {
    const space = await declaring(TAKEN);
    const formats = ["text", "markdown", "html"];
    await space.run(["apply", "--yes", ...ALLOWED, ...formats.flatMap((one) => ["--format", `${one}=${one}`])]);
    for (const format of formats) {
      const text = (await readFile(join(space.folder, format), "utf8")).replaceAll(/<\/?d[td]>/gu, " ");
      expect(text, format).toMatch(/Lifted by:? +--allow-loss acme\/domains\/a, --allow-loss acme\/domains\/b/u);
    }
  });
});
