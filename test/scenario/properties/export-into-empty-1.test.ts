import { describe, it } from "vitest";
import { exportIntoEmptyReproduces } from "./export-into-empty.ts";
import { seconds } from "./world.ts";

describe("an export without ids, applied to an empty organization", () => {
  it("reproduces every readable writable field of 100 random organizations", { timeout: seconds(300) }, () => exportIntoEmptyReproduces(100));
});
