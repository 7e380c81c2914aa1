import { describe, expect, it } from "vitest";
import { describeProblem } from "../../../src/apply/outcomes.ts";
import type { ChangeProgress } from "../../../src/apply/run-state.ts";
import type { Task } from "../../../src/apply/task.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { COMMON, RARE } from "./outcomes.rows.ts";
import { apiError, change, INSIGHTS, world } from "./support.ts";

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
  const NO_WRITE = { requests: 1, lastWrite: undefined };
  const problemAfter = (lastWrite: ChangeProgress["lastWrite"], ...error: Parameters<typeof apiError>) =>
    describeProblem(apiError(...error), change("domain", { domain: "a.com" }), {} as Task, { ...NO_WRITE, lastWrite });
  const statusAfter = async (...error: Parameters<typeof apiError>) => (await problemAfter(undefined, ...error)).status;

  it("is unknown if a write may have taken effect", async () => {
    expect(await statusAfter("domains.create", { tookEffect: "maybe" })).toBe("unknown");
    expect(await statusAfter("domains.create", { tookEffect: "maybe", kind: "interrupted" })).toBe("unknown");
  });

  it("is failed if it had no effect, or was a read", async () => {
    expect(await statusAfter("domains.create", { tookEffect: "no" })).toBe("failed");
    expect(await statusAfter("domains.list", { tookEffect: "maybe" })).toBe("failed");
  });

  it.each([
    [undefined, "skipped", "interrupted"],
    ["answered", "unverified", "interrupted"],
    ["unclear", "unknown", "outcome_unknown"],
  ] as const)("if an interruption prevented it after a write that was %s is %s", async (last, status, code) => {
    const problem = await problemAfter(last, "domains.update", { tookEffect: "no", kind: "interrupted" });
    expect(problem).toMatchObject({ status, error: { code } });
  });
});

describe("the hint after a refusal", () => {
  type Refusal = Parameters<typeof apiError>[1];
  const refusal = { kind: "invalid", status: 400, tookEffect: "no", code: "invalid_input" } as const;
  const ROW = { name: "I", description: "old", dashboards: [4] };

  /** The error of an update, or a create, of an insight whose description is declared. */
  async function errorOf(action: "update" | "create", fields: Refusal) {
    const given = world();
    given.add("insights", ROW);
    const live = action === "update" ? given.live("insight", INSIGHTS.scope)[0] : undefined;
    const refused = change("insight", { name: "I", description: "new" }, { ...INSIGHTS, live });
    const thrown = apiError(`insights.${action}`, { ...refusal, ...fields });
    const { error } = await describeProblem(thrown, refused, given.task("insight", INSIGHTS.scope), {
      requests: 1,
      lastWrite: undefined,
    });
    return { hint: error.hint ?? null, command: error.command ?? null, words: sentencesOf(error) };
  }

  const GONE: Refusal = { detail: "Dashboard not found: 4", attr: "dashboards" };

  it("names the command that takes over what is live, if a value names an object that is gone", async () => {
    const { command, words } = await errorOf("update", GONE);
    expect(command).toEqual(["driftline", "drift", "--accept", "--only", "acme/projects/web/insights/I"]);
    expect(words).toMatchSnapshot();
  });

  it.each<[string, "update" | "create", Refusal]>([
    ["a create, which has nothing live", "create", GONE],
    ["a value that is wrong for another reason", "update", { detail: "Not a valid list.", attr: "description" }],
  ])("names none after %s", async (_name, action, fields) => {
    expect(await errorOf(action, fields)).toMatchObject({ command: null, hint: "hint" });
  });

  it.each(["dashboards", "dashboards__0"])("names the live value that blocks an update: %s", async (attr) => {
    const { hint, words } = await errorOf("update", { attr });
    expect(hint).toContain("dashboards was not sent");
    expect(words).toMatchSnapshot();
  });

  it.each<[string, "update" | "create", Refusal]>([
    ["a create sends everything that it has", "create", { attr: "dashboards" }],
    ["the field was sent", "update", { attr: "description" }],
    ["nobody can declare it", "update", { attr: "created_at" }],
    ["no field is named", "update", { attr: null }],
    ["the refusal is about rights", "update", { attr: "dashboards", status: 403 }],
  ])("names no live value if %s", async (_name, action, fields) => {
    expect(await errorOf(action, fields)).toMatchObject({ hint: "hint" });
  });

  it("is the kind's own before any other, with the key of the object", async () => {
    const invite = change("invite", { target_email: "eve@acme.com", level: 8 });
    const thrown = apiError("invites.create", { ...refusal, message: "You can't change your own access level." });
    const { error } = await describeProblem(thrown, invite, world().task("invite"), {
      requests: 1,
      lastWrite: undefined,
    });
    expect(error.hint).toContain("service.self: eve@acme.com");
  });
});
