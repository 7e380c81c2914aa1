/** What somebody types before a question is shown is no answer to it. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasTerminal, onTerminal } from "../support/terminal.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const acme = (fields: object): object => ({ driftline: 1, organizations: { acme: { name: "Acme Inc", ...fields } } });

const writesTo = ({ emulator }: Workspace): number => emulator.requests.filter(({ method }) => method !== "GET").length;

describe.runIf(hasTerminal)("on a terminal", () => {
  it.each<[string, readonly [string, ...string[]], number, number]>([
    ["an answer typed after the question counts", ["", "yes\n"], 0, 1],
    ["one typed before does not", ["yes\n", "no\n"], 1, 0],
    ["nor do several, for questions to come", ["yes\nyes\nyes\n", "no\n"], 1, 0],
    ["nor does the beginning of one", ["ye", "s\n", "no\n"], 1, 0],
    ["nor does the end of the input", ["\u0004", "yes\n"], 0, 1],
    ["and the answer after it counts", ["no\n", "yes\n"], 0, 1],
  ])("%s", async (_what, typed, code, writes) => {
    const space = await workspace();
    await space.configure(acme({ enforce_2fa: true }));
    const result = await onTerminal(["apply"], { cwd: space.folder, env: space.env, typed });
    expect(result, result.shown).toMatchObject({ code });
    expect(writesTo(space)).toBe(writes);
  });

  it("an answer to one question is none to the next", async () => {
    const space = await workspace();
    await mkdir(join(space.folder, "acme"));
    await space.configure(acme({}), "acme/a.yaml");
    const projects = { web: { name: "Web" } };
    await space.configure({ driftline: 1, organizations: { acme: { projects } } }, "acme/b.yaml");
    const typed = ["", "yes\nyes\n", "no\n"] as const;
    const { shown } = await onTerminal(["pin", "acme/"], { cwd: space.folder, env: space.env, typed });
    expect(shown).toContain("acme/a.yaml");
    const texts = await Promise.all(
      ["a", "b"].map((name) => readFile(join(space.folder, `acme/${name}.yaml`), "utf8")),
    );
    expect(texts.filter((text) => text.includes("0190aa11"))).toHaveLength(1);
  });
});
