import { describe, expect, it } from "vitest";
import { runAfterWrite } from "../../../../src/apply/actions/after-write.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { apiError } from "../support.ts";

describe("a failure after a successful write", () => {
  it.each([
    ["a write that is refused", apiError("domains.update", { kind: "scope", status: 403, tookEffect: "no" })],
    ["a write with an unclear answer", apiError("domains.update", {})],
    ["a write that could not be sent", apiError("domains.update", { kind: "network", status: null, tookEffect: "no" })],
    ["a read that is refused", apiError("domains.get", { kind: "scope", status: 403, tookEffect: "no" })],
  ])("is called a refusal only if it is one: %s", async (_name, error) => {
    const thrown: unknown = await runAfterWrite("domains-1", "changed in part", () => Promise.reject(error)).catch(
      (failure: unknown) => failure,
    );
    expect(thrown).toMatchObject({ status: "unverified", code: error.kind, id: "domains-1" });
    expect(sentencesOf(thrown)).toMatchSnapshot();
  });
});
