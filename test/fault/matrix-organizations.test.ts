import { describe, expect, it } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { expectFaults, TABLES } from "./matrix/table.ts";

describe("faults on organizations, domains and invites", () => {
  expectFaults(TABLES.organizations);
});

it("no kind is left out of the matrix", () => {
  expect(Object.values(TABLES).flat().toSorted()).toEqual(Object.keys(kinds).toSorted());
});
