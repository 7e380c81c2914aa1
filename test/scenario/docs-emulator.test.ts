import { expect, it } from "vitest";
import { blocksOf, tableUnder } from "./docs/blocks.ts";
import { textOf } from "./docs/pages.ts";

const PAGE = textOf("docs/emulator.md");

it("docs/emulator.md shows the seed that its sessions run with", () => {
  const blocks = blocksOf(PAGE);
  const seed = blocks.find(({ language }) => language === "json");
  const files = blocks.flatMap(({ attributes }) => attributes["seed"] ?? []);
  expect(files.map((file) => JSON.parse(textOf(file)) as unknown)).toEqual([JSON.parse(seed?.text ?? "")]);
});

it("docs/emulator.md names faults that the reference has", () => {
  const faults = tableUnder(PAGE, "## Change and break things").flatMap(([, fault = ""]) =>
    [...fault.matchAll(/`([a-z0-9-]+)`/g)].map(([name]) => name),
  );
  expect(faults.length).toBeGreaterThan(5);
  expect(faults.filter((fault) => !textOf("src/emulator/README.md").includes(fault))).toEqual([]);
});
