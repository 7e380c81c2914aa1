import { describe, expect, it } from "vitest";
import { GITLAB } from "../../../src/forge/gitlab.ts";

const BRANCHES = { name: "driftline/drift", base: "trunk" };

describe("GitLab", () => {
  it("opens the merge request with the push, whose options have no line break", () => {
    const options = GITLAB.pushOptions(BRANCHES, { title: "Accept 2 changes", body: "# A\nlong text" });
    expect(options.slice(0, 3)).toEqual([
      "--push-option=merge_request.create",
      "--push-option=merge_request.target=trunk",
      "--push-option=merge_request.title=Accept 2 changes",
    ]);
    expect(options).toHaveLength(4);
    expect(options.filter((option) => /[\r\n]/u.test(option))).toEqual([]);
  });

  it("is asked for nothing, so that no token is needed", async () => {
    expect(await GITLAB.find(BRANCHES)).toBeUndefined();
    expect(await GITLAB.openOrUpdate(BRANCHES, { title: "", body: "" }, undefined)).toBeUndefined();
  });
});
