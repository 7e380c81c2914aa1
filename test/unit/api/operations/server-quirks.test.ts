import { describe, expect, it } from "vitest";
import { SERVER_QUIRKS } from "../../../../src/api/operations/server-quirks.ts";
import { operations } from "../../../../src/api/operations/index.ts";
import { complaint, connect, failureOf, ID, json, ORGANIZATION, read, serve, type Handler } from "../support.ts";

const list = { project_id: "2" };
const page = { count: 0, next: null, previous: null, results: [] };

/** A server that follows the document and refuses everything else. */
const strict: Handler = ({ query }, response) => {
  const unknown = [...query.keys()].find((name) => !["limit", "offset"].includes(name));
  if (unknown === undefined) return json(response, 200, page);
  json(response, 400, complaint("invalid_input", `Unknown parameter ${unknown}.`, unknown));
};

describe("the table of deployed servers", () => {
  it("names existing operations", () => {
    expect(Object.keys(SERVER_QUIRKS).filter((name) => !(name in operations))).toEqual([]);
  });

  it("adds its queries under the profile posthog, and none under document", async () => {
    for (const [profile, wanted] of [
      ["posthog", ["basic", "limit", "offset", "order"]],
      ["document", ["limit", "offset"]],
    ] as const) {
      const server = await serve((_seen, response) => json(response, 200, page));
      await connect(server.url, { profile }).list("insights.list", list);
      expect([...(server.seen[0]?.query.keys() ?? [])].toSorted()).toEqual(wanted);
    }
  });

  it("is not used after a strict server has refused it once", async () => {
    const server = await serve(strict);
    const client = connect(server.url);
    for (let again = 0; again < 3; again += 1)
      await expect(client.list("insights.list", list)).resolves.toMatchObject({ rows: [] });
    expect(server.seen.map(({ query }) => query.has("order"))).toEqual([true, false, false, false]);
  });

  it("is still used after a 500, which is the error of the list", async () => {
    const server = await serve((_seen, response) => json(response, 500, complaint("error")));
    const client = connect(server.url);
    expect(await failureOf(client.list("insights.list", list))).toMatchObject({ status: 500 });
    expect(server.seen.map(({ query }) => query.has("order"))).toEqual(server.seen.map(() => true));
  });

  it("does not apply to a list of another kind", async () => {
    const server = await serve(strict);
    await connect(server.url).list("domains.list", { organization_id: ORGANIZATION });
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    [403, "not_authenticated", "auth"],
    [403, "authentication_failed", "auth"],
    [401, "anything", "auth"],
    [403, "permission_denied", "scope"],
    [403, null, "scope"],
  ])("%s with the code %s is about %s", async (status, code, kind) => {
    const server = await serve((_seen, response) => json(response, status, code === null ? {} : complaint(code)));
    expect(await failureOf(read(connect(server.url)))).toMatchObject({ kind });
  });

  it.each([
    ["batch_exports.pause", "project_batch_exports.update"],
    ["domains.verify", ""],
    ["pipeline_destinations.upgrade", ""],
  ] as const)("names the replacement of %s if it is closed", async (name, hint) => {
    const closed = complaint("permission_denied", "This action does not support Personal API Key access");
    const server = await serve((_seen, response) => json(response, 403, closed));
    const path = { organization_id: ORGANIZATION, id: name.startsWith("pipeline") ? "7" : ID };
    const failure = await failureOf(connect(server.url).request(name, { path, body: {} }));
    expect(failure.hint).toContain(hint);
    expect(failure.hint).toMatchSnapshot();
  });

  it("names the route for batch exports if the organization's route fails", async () => {
    const server = await serve((_seen, response) => json(response, 500, complaint("error")));
    const work = connect(server.url).request("batch_exports.create", {
      path: { organization_id: ORGANIZATION },
      body: {},
    });
    const { hint } = await failureOf(work);
    expect(hint).toContain("projects");
    expect(hint).toMatchSnapshot();
  });
});
