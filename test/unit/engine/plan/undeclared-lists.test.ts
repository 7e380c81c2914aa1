import { describe, expect, it } from "vitest";
import { NO_ROUTE } from "../../../../src/api/errors/errors.ts";
import { apiError } from "../../apply/support.ts";
import { ACME } from "../../plan/world.ts";
import { type Answers, planned, serviceOf } from "../world.ts";

const FILE = `driftline: 1
organizations:
  acme:
    name: Acme Inc
    memberships: { ada@acme.com: { level: admin } }
    projects: { web: { id: "2", insights: { a: { name: A } } } }
`;
const ADA = { id: "m", level: 8, user: { uuid: "u", email: "ada@acme.com" } };
const LISTED: Answers = {
  "members.list": [ADA],
  "insights.list": [{ id: 1, short_id: "aaaaaaaa", name: "A" }],
  "domains.list": [{ id: "d", domain: "a.com" }],
};
const missing = (operation: string): Error =>
  apiError(operation, { kind: "not_found", status: 404, detail: NO_ROUTE, tookEffect: "no" });

describe("the collections in which nothing is declared", () => {
  it("are named, those that show people that are declared excepted, and none is read", async () => {
    const service = serviceOf(LISTED);
    const { document } = await planned(FILE, service);
    expect(document.not_read).toEqual([
      "acme/domains",
      "acme/pipeline_destinations",
      "acme/pipeline_frontend_apps",
      "acme/pipeline_import_apps",
      "acme/projects/web/batch_exports",
    ]);
    expect(service.asked).not.toContain("domains.list");
  });

  it("are named if the service shows that it has them", async () => {
    const { document } = await planned(FILE, {
      ...LISTED,
      "organizations.list": [{ ...ACME, enforce_verified_domains: false }],
    });
    expect(document.not_read).toContain("acme/identity_provider_configs");
  });

  it("are named below the addresses of a limited plan only", async () => {
    const { document } = await planned(FILE, LISTED, { options: { only: ["acme/projects/web"] } });
    expect(document.not_read).toEqual(["acme/projects/web/batch_exports"]);
  });

  it("are read if that is wanted, and what is there changes no change", async () => {
    const { document, plan } = await planned(FILE, LISTED, { unmanaged: true });
    expect(document.not_read).toEqual([]);
    expect(document.unmanaged).toEqual([{ kind: "domain", scope: "acme", id: "d", key: "a.com" }]);
    expect([plan.summary.unmanaged, plan.changes.map(({ address }) => address)]).toEqual([
      1,
      ["acme", "acme/memberships/ada@acme.com", "acme/projects/web/insights/a"],
    ]);
  });

  it.each<[name: string, error: Error, left: readonly string[], codes: readonly string[]]>([
    [
      "stay named if they cannot be read, which is an error",
      apiError("domains.list", {}),
      ["acme/domains"],
      ["outage"],
    ],
    ["are not named if the service has no such list", missing("domains.list"), [], []],
  ])("%s", async (_name, error, left, codes) => {
    const { document } = await planned(FILE, { ...LISTED, "domains.list": error }, { unmanaged: true });
    expect(document.not_read).toEqual(left);
    expect(document.diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  it("are empty in projects if only the organization lists the objects", async () => {
    const shown = { id: "b", name: "E", interval: "hour" };
    const list = "project_batch_exports.list";
    const answers = { ...LISTED, "batch_exports.list": [shown], [list]: missing(list) };
    const { document } = await planned(FILE, answers, { unmanaged: true });
    expect([document.not_read, document.diagnostics]).toEqual([[], []]);
    expect(document.unmanaged.map(({ scope, kind }) => [scope, kind])).toContainEqual(["acme", "batch_export"]);
  });
});
