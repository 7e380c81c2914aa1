import { expect, it } from "vitest";
import { permissionsToApply } from "../../../../src/engine/doctor/needed-permissions.ts";

it("a key that applies needs a scope to read only where it does not write", () => {
  const read = ["insight:read", "organization:read", "query:read"];
  const write = ["insight:write", "organization:write"];
  expect(permissionsToApply({ read, write })).toEqual(["query:read", "insight:write", "organization:write"]);
  expect(permissionsToApply({ read, write: [] })).toEqual(read);
});
