import { expect, it } from "vitest";
import { tableUnder } from "./docs/blocks.ts";
import { textOf } from "./docs/pages.ts";

it("docs/library.md lists everything that the package exports", () => {
  const exported = [...textOf("src/index.ts").matchAll(/^export (?:type )?\{([^}]+)\}/gm)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().replace(/^type /, "")),
  );
  const listed = tableUnder(textOf("docs/library.md"), "## Everything that `driftline` exports").flatMap(
    ([names = ""]) => [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
  );
  expect(listed.toSorted()).toEqual(exported.toSorted());
});

it("docs/library.md lists every entry point", () => {
  const { exports } = JSON.parse(textOf("package.json")) as { readonly exports: object };
  const entries = Object.keys(exports).map((path) => `driftline${path.slice(1)}`);
  const [table = ""] = textOf("docs/library.md").split("## Plan");
  const listed = new Set([...table.matchAll(/`(driftline[\w/*.]*)`/g)].map(([, name = ""]) => name));
  expect(entries.filter((entry) => !entry.endsWith("package.json") && !listed.has(entry))).toEqual([]);
});
