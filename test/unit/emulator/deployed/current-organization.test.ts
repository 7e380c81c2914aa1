import { beforeEach, describe, expect, test } from "vitest";
import { idOf, memberOf, ORG, start, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

const O = `/api/organizations/${ORG}`;
const CURRENT = "/api/organizations/@current/";
const EXPORTS = "/api/projects/2/batch_exports/";
let emulator: Emulator;
let send: Send;

beforeEach(async () => {
  ({ emulator, send } = await start({
    dialect: "deployed",
    keys: [{ key: "owner", scopes: ["*"] }, { key: "unscoped" }, { key: "admin", user: "ada@example.com" }],
  }));
});

const create = async (): Promise<string> => idOf((await send("POST", "/api/organizations/", { name: "New" })).json);
/** Creates an organization, which becomes the current one, and deletes it. */
const loseCurrent = async (): Promise<number> => (await send("DELETE", `/api/organizations/${await create()}/`)).status;
const statuses = async (paths: readonly string[], key?: string): Promise<readonly number[]> => {
  const replies = await Promise.all(paths.map((path) => send("GET", path, undefined, key)));
  return replies.map(({ status }) => status);
};

// A number in a test name is that of the observation of a real server which the test repeats.
describe("deployed: a new organization", () => {
  test("103 is the current one, with its creator as owner and a first project", async () => {
    const id = await create();
    const { json } = await send("GET", CURRENT);
    expect(json).toMatchObject({ id, membership_level: 15, member_count: 1, teams: [{ name: "Default project" }] });
    const members = await send("GET", `/api/organizations/${id}/members/`);
    expect(members.json["results"]).toMatchObject([{ level: 15, user: { email: "owner@example.com" } }]);
  });

  test("103 refuses an invite of its creator", async () => {
    const { status, json } = await send("POST", `/api/organizations/${await create()}/invites/`, {
      target_email: "owner@example.com",
      level: 15,
    });
    expect([status, json["attr"]]).toEqual([400, null]);
    expect(json["detail"]).toContain("already belongs to the organization");
  });
});

describe("deployed: a user without a current organization", () => {
  const NEEDS_CURRENT = ["/api/organizations/", `${O}/`, "/api/projects/", "/api/projects/2/insights/", EXPORTS];
  const NESTED = [`${O}/domains/`, `${O}/members/`, `${O}/batch_exports/`];

  test("104 is who has deleted it; only routes under an organization still answer", async () => {
    expect(await loseCurrent()).toBe(204);
    expect(await statuses(NEEDS_CURRENT, "unscoped")).toEqual([404, 404, 404, 404, 404]);
    expect(await statuses(NESTED)).toEqual([200, 200, 200]);
    const { json } = await send("GET", "/api/organizations/");
    expect(json).toEqual({
      type: "invalid_request",
      code: "not_found",
      detail: "You need to belong to an organization.",
      attr: null,
    });
  });

  test("104 is not one who is in another organization", async () => {
    await loseCurrent();
    expect(await statuses(["/api/organizations/", `${O}/`], "admin")).toEqual([200, 200]);
  });

  test("104 is not one who deleted an organization that was not the current one", async () => {
    const other = await create();
    await create();
    expect((await send("DELETE", `/api/organizations/${other}/`)).status).toBe(204);
    expect(await statuses(["/api/organizations/", `${O}/`])).toEqual([200, 200]);
  });

  test("104 gets another one by one GET of the current one", async () => {
    await loseCurrent();
    expect((await send("GET", CURRENT)).json["id"]).toBe(ORG);
    expect(await statuses(NEEDS_CURRENT, "unscoped")).toEqual([200, 200, 200, 200, 200]);
  });

  test("one who left an organization is in the next one", async () => {
    const id = await create();
    const { uuid } = memberOf(emulator, "owner@example.com");
    expect((await send("DELETE", `/api/organizations/${id}/members/${uuid}/`)).status).toBe(204);
    expect((await send("GET", CURRENT)).json["id"]).toBe(ORG);
    expect(await statuses(["/api/organizations/"])).toEqual([200]);
  });

  test("the document knows no current organization", async () => {
    const other = await start();
    const { json } = await other.send("POST", "/api/organizations/", { name: "New" });
    await other.send("DELETE", `/api/organizations/${idOf(json)}/`);
    expect((await other.send("GET", "/api/organizations/")).status).toBe(200);
  });
});

describe("deployed: a user without a current project", () => {
  async function pausedExport(): Promise<string> {
    const { id } = emulator.insert("batch_export", { project: 2 }, { name: "x", paused: true });
    return `${EXPORTS}${id}/`;
  }

  test("105 may do everything but unpause, which a PATCH replaces", async () => {
    const path = await pausedExport();
    await loseCurrent();
    await send("GET", CURRENT);
    const refused = await send("POST", `${path}unpause/`, {});
    expect([refused.status, refused.json["code"]]).toEqual([401, "not_authenticated"]);
    expect((await send("POST", `${path}pause/`, {})).status).toBe(200);
    expect((await send("PATCH", path, { paused: false })).json["paused"]).toBe(false);
  });

  test("105 has none either while there is no current organization", async () => {
    const path = (await pausedExport()).replace("/projects/2", `/organizations/${ORG}`);
    await loseCurrent();
    expect((await send("POST", `${path}unpause/`, {})).status).toBe(401);
  });

  test("105 gets one with a new organization", async () => {
    const path = await pausedExport();
    await loseCurrent();
    await send("GET", CURRENT);
    await create();
    expect((await send("POST", `${path}unpause/`, {})).json).toEqual({ paused: false });
  });
});

describe("deployed: an unverified domain", () => {
  test.each([{ sso_enforcement: "saml" }, { jit_provisioning_enabled: true }])(
    "109 takes nothing of a PATCH with %j",
    async (early) => {
      const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example.com" });
      const [before] = emulator.find("domain");
      const reply = await send("PATCH", `${O}/domains/${id}/`, { ...early, saml_entity_id: "e" });
      expect([reply.status, reply.json["code"]]).toEqual([400, "verification_required"]);
      expect(emulator.find("domain")).toEqual([before]);
    },
  );

  test("109 is refused before the plan of the organization is looked at", async () => {
    const limited = await start({ dialect: "deployed", planLimits: true });
    const domain = limited.emulator.insert("domain", { organization: ORG }, { domain: "a.example.com" });
    const patch = async (): Promise<unknown> =>
      (await limited.send("PATCH", `${O}/domains/${domain.id}/`, { jit_provisioning_enabled: true })).json["code"];
    expect(await patch()).toBe("verification_required");
    limited.emulator.edit("domain", domain.id, { is_verified: true });
    expect(await patch()).toBe("feature_not_available");
    expect(limited.emulator.find("domain")).toMatchObject([{ jit_provisioning_enabled: false }]);
  });
});
