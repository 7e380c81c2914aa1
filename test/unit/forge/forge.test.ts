import { describe, expect, it } from "vitest";
import type { Branches } from "../../../src/forge/forge.ts";
import { findForge } from "../../../src/forge/find-forge.ts";

const BRANCHES: Branches = { name: "driftline/drift", base: "main" };
const TOKEN = { GITHUB_TOKEN: "t" };

/** Options of a push tell the forges apart: only GitLab has some. */
const nameOf = (env: Readonly<Record<string, string | undefined>>): string => {
  const forge = findForge(env);
  if (forge === undefined) return "none";
  return forge.pushOptions(BRANCHES, { title: "T", body: "B" }).length > 0 ? "GitLab" : "GitHub";
};

describe("the forge of a run", () => {
  it.each([
    ["none", {}],
    ["none", { ...TOKEN, CI: "true" }],
    ["none", { ...TOKEN, GITHUB_ACTIONS: "false" }],
    ["none", { GITHUB_ACTIONS: "1", GITLAB_CI: "yes" }],
    ["GitHub", { ...TOKEN, GITHUB_ACTIONS: "true" }],
    ["GitHub", { ...TOKEN, GITHUB_ACTIONS: "true", GITLAB_CI: "true" }],
    ["GitLab", { GITLAB_CI: "true" }],
    ["GitLab", { ...TOKEN, GITLAB_CI: "true", GITHUB_ACTIONS: "" }],
  ])("is %s in %j", (name, env) => {
    expect(nameOf(env)).toBe(name);
  });

  it.each([{}, { GITHUB_TOKEN: "" }])("is refused on GitHub with the token of %j", (env) => {
    expect(() => findForge({ GITHUB_ACTIONS: "true", ...env })).toThrow(
      expect.objectContaining({
        reason: "invalid",
        diagnostics: [expect.objectContaining({ code: "forge_refused" })],
      }) as Error,
    );
  });
});
