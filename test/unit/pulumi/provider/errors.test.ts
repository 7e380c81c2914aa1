import { expect, it } from "vitest";
import { shownHint, withSanitizedError } from "../../../../src/pulumi/provider/errors.ts";
import { apiError } from "../../apply/support.ts";

const HINT = "Check --url or DRIFTLINE_URL, and set --max-requests-per-minute.";

it.each([
  ["an outcome", () => Promise.resolve(shownHint({ hint: HINT }))],
  [
    "an error",
    () =>
      withSanitizedError(() => Promise.reject(apiError("insights.list", { hint: HINT }))).catch(
        (error: unknown) => (error as Error).message,
      ),
  ],
])("the hint of %s names the settings of Pulumi, not the options of the command line", async (_name, shown) => {
  const text = await shown();
  for (const setting of ["driftline:url", "driftline:maxRequestsPerMinute"]) expect(text).toContain(setting);
  expect(text).not.toContain("--");
});
