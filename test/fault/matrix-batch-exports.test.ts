import { describe } from "vitest";
import { expectFaults, TABLES } from "./matrix/table.ts";

describe("faults on batch exports", () => {
  expectFaults(TABLES["batch-exports"]);
});
