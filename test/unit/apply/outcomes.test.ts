import { describe, expect, it } from "vitest";
import { sentencesOf } from "../../support/sentences.ts";
import { COMMON, RARE } from "./outcomes.rows.ts";

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
