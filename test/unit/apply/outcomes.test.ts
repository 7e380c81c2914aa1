import { describe, expect, it } from "vitest";
import { describeProblem } from "../../../src/apply/outcomes.ts";
import type { Task } from "../../../src/apply/task.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { COMMON, RARE } from "./outcomes.rows.ts";
import { apiError, change } from "./support.ts";

describe("the outcome reports what happened and what to do", () => {
  it.each(Object.entries({ ...COMMON, ...RARE }))("%s", async (_name, { run, is: { says = [], ...is } }) => {
    const { error, ...rest } = await run();
    expect({ ...rest, code: error?.code ?? null }).toMatchObject(is);
    const sentences = sentencesOf(error);
    for (const part of says) expect(sentences.join(" ")).toContain(part);
    expect(sentences).toMatchSnapshot();
  });

  it("has one row for each way", () => {
    expect(Object.keys(COMMON).filter((name) => name in RARE)).toEqual([]);
  });
});

describe("the status after an error of the service", () => {
  const statusAfter = async (...error: Parameters<typeof apiError>) =>
    (await describeProblem(apiError(...error), change("domain", { domain: "a.com" }), {} as Task, { requests: 1 }))
      .status;

  it("is unknown if a write may have taken effect", async () => {
    expect(await statusAfter("domains.create", { effect: "maybe" })).toBe("unknown");
    expect(await statusAfter("domains.create", { effect: "maybe", kind: "interrupted" })).toBe("unknown");
  });

  it("is failed if it had no effect, or was a read", async () => {
    expect(await statusAfter("domains.create", { effect: "no" })).toBe("failed");
    expect(await statusAfter("domains.list", { effect: "maybe" })).toBe("failed");
  });

  it("is skipped if an interruption prevented it", async () => {
    expect(await statusAfter("domains.create", { effect: "no", kind: "interrupted" })).toBe("skipped");
  });
});
