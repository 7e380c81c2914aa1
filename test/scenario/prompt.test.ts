import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { linesWith, normalized } from "../support/normalized.ts";
import { workspace } from "../support/workspace.ts";

const CONFIG = "driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n    enforce_2fa: true\n";

async function ask(answer: string | undefined, meanwhile?: (id: string) => object) {
  const space = await workspace();
  await space.configure(CONFIG);
  const id = String(space.emulator.find("organization")[0]?.["id"]);
  const questions: string[] = [];
  const result = await space.run(["apply"], {
    runtime: {
      interactive: true,
      ask: (question) => {
        questions.push(question);
        if (meanwhile !== undefined) space.emulator.edit("organization", id, meanwhile(id) as Record<string, boolean>);
        return Promise.resolve(answer);
      },
    },
  });
  const writes = space.emulator.requests.filter(({ method }) => method !== "GET");
  return { ...result, questions, writes };
}

describeDialects("the question before apply", () => {
  it("shows the number of writes, and the service", async () => {
    const { code, questions, stderr } = await ask("yes");
    expect(code).toBe(0);
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatch(/http:\/\/127\.0\.0\.1:\d+\?/);
    expect([linesWith(stderr, "warning above"), normalized(questions[0])]).toMatchSnapshot();
  });

  it.each([["no"], [""], [undefined]])("treats %j as a no: nothing is written", async (answer) => {
    const { code, writes, stderr } = await ask(answer);
    expect(code).toBe(1);
    expect(writes).toEqual([]);
    expect(linesWith(stderr, "Not applied")).toMatchSnapshot();
  });

  it.each([["y"], ["Yes"]])("treats %j as a yes", async (answer) => {
    expect((await ask(answer)).code).toBe(0);
  });

  it("is asked until the answer is one that was offered", async () => {
    const space = await workspace();
    await space.configure(CONFIG);
    const answers = ["sure", "all", "y"];
    const next = (): Promise<string | undefined> => Promise.resolve(answers.shift());
    const { code, stderr } = await space.run(["apply"], { runtime: { interactive: true, ask: next } });
    expect([code, answers]).toEqual([0, []]);
    expect(linesWith(stderr, "is no answer")).toMatchSnapshot();
  });

  it("can be interrupted: nothing is written", async () => {
    const space = await workspace();
    await space.configure(CONFIG);
    const controller = new AbortController();
    const interrupted = (): Promise<undefined> => {
      controller.abort();
      return Promise.resolve(undefined);
    };
    const { code, stderr } = await space.run(["apply"], {
      runtime: { interactive: true, signal: controller.signal, ask: interrupted },
    });
    expect(code).toBe(130);
    expect(linesWith(stderr, "error interrupted: ")).toMatchSnapshot();
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("writes nothing to an object that was changed by somebody else in the meantime", async () => {
    const { code, writes } = await ask("yes", () => ({ enforce_2fa: false }));
    expect(code).toBe(12);
    expect(writes).toEqual([]);
  });

  it("comes after who loses access and who gets a high level, of a saved plan as well", async () => {
    const members = [
      { email: "ada@acme.com", level: 1 },
      { email: "bob@acme.com", level: 8 },
    ];
    const space = await workspace({ seed: { organizations: [{ name: "Acme Inc", members }] } });
    const memberships = {
      "ada@acme.com": { level: "admin" },
      "bob@acme.com": { lifecycle: { state: "absent" } },
      "new@acme.com": { level: "member" },
    };
    await space.configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", memberships } } });
    await space.run(["plan", "--out", "plan.json"]);
    for (const args of [["apply"], ["apply", "--plan", "plan.json"]]) {
      const runtime = { interactive: true, ask: () => Promise.resolve("no") };
      const { stderr } = await space.run(args, { runtime });
      expect(stderr).toMatch(
        /^Loses access: bob@acme\.com \(ADMIN, .*\)\.\nGets a high level: ada@acme\.com \(.*ADMIN\)\.$/mu,
      );
      expect(stderr).not.toContain("new@acme.com");
    }
  });

  it("is not asked if there are no changes", async () => {
    const space = await workspace();
    await space.configure("driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n");
    const result = await space.run(["apply"], {
      runtime: { interactive: true, ask: () => Promise.reject(new Error("asked")) },
    });
    expect(result.code).toBe(0);
  });
});
