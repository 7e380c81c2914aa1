/** Tables of docs that have to name everything that the code knows. */
import { expect, it } from "vitest";
import { operations } from "../../src/api/operations/index.ts";
import { scopesOfKind, allKinds } from "../../src/kinds/registry.ts";
import { ACTIONS } from "../../src/report/marks.ts";
import { tableUnder } from "./docs/blocks.ts";
import { textOf } from "./docs/pages.ts";

/** The words in backticks with which the rows of a table begin. */
function namesUnder(page: string, heading: string): readonly string[] {
  return tableUnder(textOf(page), heading).map(([cell = ""]) => /^`([^`: ]+)/.exec(cell)?.[1] ?? cell);
}

it("docs/commands.md has every symbol of a plan", () => {
  const symbols = Object.entries(ACTIONS).flatMap(([action, { symbol }]) => (action === "no_op" ? [] : [symbol]));
  expect(namesUnder("docs/commands.md", "## What plan and drift print").toSorted()).toEqual(
    [...symbols, "!"].toSorted(),
  );
});

it("docs/configuration.md has every key of lifecycle", () => {
  const { definitions } = JSON.parse(textOf("schemas/config.schema.json")) as {
    readonly definitions: { readonly Lifecycle: { readonly properties: object } };
  };
  const keys = Object.keys(definitions.Lifecycle.properties);
  expect(namesUnder("docs/configuration.md", "## lifecycle").toSorted()).toEqual(keys.toSorted());
});

it("docs/existing-organization.md has every scope that the kinds need", () => {
  const lists = allKinds.flatMap((kind) =>
    scopesOfKind(kind.name)
      .flatMap((scope) => kind.lists.operations(scope))
      .map((name) => operations[name].permission?.replace(/:read$/, "")),
  );
  const scopes = new Set(["organization", ...lists]);
  expect(new Set(namesUnder("docs/existing-organization.md", "## A key"))).toEqual(scopes);
});
