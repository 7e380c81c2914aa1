import { describe, it } from "vitest";
import { exportThenPlanIsEmpty } from "./export-then-plan.ts";
import { seconds } from "./world.ts";

describe("export then plan, against today's service", () => {
  it("is empty for random organizations", { timeout: seconds(1800) }, () => exportThenPlanIsEmpty("current", 200));
});
