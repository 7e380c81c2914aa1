import fc from "fast-check";
import { expect, it } from "vitest";
import { variableName } from "../../../../src/model/text/variable-name.ts";
import { budget } from "../../../support/budget.ts";

it("a derived variable has a prefix that is no one else's, whatever the object is called", () => {
  const words = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("npm", "driftline", "1", "", "_", "Événements", "DL_VALUE"),
  );
  fc.assert(
    fc.property(words, words, (name, key) => {
      expect(variableName(name, key)).toMatch(/^DL_VALUE(?:_[A-Z0-9]+)*$/u);
    }),
    { numRuns: budget(10_000) },
  );
});

it("the name still shows what it is for", () => {
  expect(variableName("Événements to S3", "awsSecret_key")).toBe("DL_VALUE_EVENEMENTS_TO_S3_AWS_SECRET_KEY");
});
