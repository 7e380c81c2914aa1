import { describe } from "vitest";
import { expectFaults, TABLES } from "./matrix/table.ts";

describe("faults on people and insights", () => {
  expectFaults(TABLES.people);
});
