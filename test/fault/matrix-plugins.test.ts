import { describe } from "vitest";
import { expectFaults, TABLES } from "./matrix/table.ts";

describe("faults on plugins", () => {
  expectFaults(TABLES.plugins, { areAlike: true });
});
