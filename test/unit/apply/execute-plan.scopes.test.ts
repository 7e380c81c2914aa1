import { describe, expect, it } from "vitest";
import { listKey } from "../../../src/model/live.ts";
import { dataOf, sentencesOf } from "../../support/sentences.ts";
import { apiError, change, lost, world, type World } from "./support.ts";

describe("two exports of one name, in an organization and in a project of it", () => {
  const WEB = { scope: "acme/projects/web" } as const;
  const values = { name: "E", interval: "hour", paused: true, destination: { type: "NoOp", config: {} } };
  const both = [change("batch_export", values), change("batch_export", values, WEB)] as const;

  /** The list of the organization shows the exports of its projects as well. */
  const shared = (): World => {
    const given = world();
    given.on("project_batch_exports.create", (serve) => {
      const answer = serve();
      given.add("batch_exports", answer.body as never);
      return answer;
    });
    return given;
  };
  const creates = (given: World): readonly string[] => given.log.filter((one) => one.endsWith("create"));

  it("are both made if the one of the project replaces another: it is known before the other is begun", async () => {
    const given = shared();
    given.add("project_batch_exports", values);
    const [live] = given.live("batch_export", WEB.scope);
    const destination = { type: "HTTP", config: {} };
    const replace = change("batch_export", { ...values, destination }, { ...WEB, live });
    const outcomes = await given.apply(both[0], replace);
    expect(outcomes).toMatchObject([{ status: "applied" }, { status: "applied", action: "replace" }]);
    expect(creates(given)).toEqual(["project_batch_exports.create", "batch_exports.create"]);
  });

  it("the second is not begun if the outcome of the first is unknown", async () => {
    const given = shared();
    given.on("project_batch_exports.create", () => Promise.reject(lost("project_batch_exports.create")));
    given.on("project_batch_exports.list", "always", () =>
      Promise.reject(apiError("project_batch_exports.list", { kind: "scope", tookEffect: "no" })),
    );
    given.lists.set(listKey(WEB.scope, "batch_export"), { status: "known", objects: [] });
    given.quiet.add("project_batch_exports.list");
    const outcomes = await given.apply(...both);
    expect(outcomes.map(({ status }) => status)).toEqual(["skipped", "unknown"]);
    expect(dataOf(outcomes[0]?.error)).toEqual({ code: "name_in_doubt" });
    expect(sentencesOf(outcomes[0]?.error)).toMatchSnapshot();
    expect(creates(given)).toEqual(["project_batch_exports.create"]);
  });
});
