import { describe, it } from "vitest";
import { exportThenPlanIsEmpty } from "./export-then-plan.ts";
import { seconds } from "./world.ts";

describe("export then plan, against the deployed dialect", () => {
  it("is empty for random organizations", { timeout: seconds(1800) }, () => exportThenPlanIsEmpty("deployed", 200));
});
