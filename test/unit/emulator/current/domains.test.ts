import { beforeEach, describe, expect, test } from "vitest";
import { FOREIGN, idOf, ORG, rows, start, type Body, type Reply, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

const D = `/api/organizations/${ORG}/domains/`;
const C = `/api/organizations/${ORG}/identity_provider_configs/`;
const KEYS = [{ key: "owner" }, { key: "mia", user: "mia@example.com" }, { key: "k", scopes: ["organization:read"] }];
const JIT = "Automatic provisioning is not enabled for this organization.";
let emulator: Emulator;
let send: Send;

beforeEach(async () => {
  ({ emulator, send } = await start({ dialect: "current", keys: KEYS }));
});

const shown = ({ status, json }: Reply): unknown[] => [status, json["code"], json["attr"]];
const insert = (values: object): string => String(emulator.insert("domain", { organization: ORG }, { ...values }).id);

// A number in a test name is that of the fact about today's service.
describe("current: domains", () => {
  test("138 142 has eight fields, and four more where that is switched on", async () => {
    const eight =
      "domain id is_verified jit_provisioning_enabled scim_base_url sso_enforcement verification_challenge verified_at".split(
        " ",
      );
    const { status, json } = await send("POST", D, { domain: "a.example", saml_entity_id: "x", scim_enabled: true });
    expect([status, Object.keys(json).toSorted()]).toEqual([201, eight]);
    expect(json["scim_base_url"]).toBeNull();
    emulator.setSwitches({ domain_links: true });
    const four = ["has_id_jag", "has_saml", "has_scim", "identity_provider_config"];
    const later = Object.keys((await send("GET", D + idOf(json))).json);
    expect(later.toSorted()).toEqual([...eight, ...four].toSorted());
  });

  test("139 141 the two settings are dropped on create, and refused while unverified", async () => {
    const sent = { domain: "a.example", jit_provisioning_enabled: true, sso_enforcement: "saml" };
    const { json } = await send("POST", D, sent);
    expect(json).toMatchObject({ jit_provisioning_enabled: false, sso_enforcement: "" });
    const refused = await send("PATCH", D + idOf(json), { sso_enforcement: "saml" });
    expect(shown(refused)).toEqual([400, "verification_required", "sso_enforcement"]);
  });

  test("139 141 a link to a configuration needs one of this organization", async () => {
    emulator.setSwitches({ domain_links: true });
    const id = insert({ domain: "a.example" });
    const own = String(emulator.insert("identity_provider_config", { organization: ORG }, { name: "Okta" }).id);
    const foreign = String(emulator.insert("identity_provider_config", { organization: FOREIGN }, { name: "X" }).id);
    expect((await send("PATCH", D + id, { identity_provider_config: own })).json["identity_provider_config"]).toBe(own);
    expect(shown(await send("PATCH", D + id, { identity_provider_config: foreign }))).toEqual([
      400,
      "does_not_exist",
      "identity_provider_config",
    ]);
  });

  test("140 a new name is ignored", async () => {
    const { status, json } = await send("PATCH", D + insert({ domain: "a.example" }), { domain: "b.example" });
    expect([status, json["domain"]]).toEqual([200, "a.example"]);
  });

  test("141 what the plan refuses", async () => {
    const id = insert({ domain: "a.example", is_verified: true });
    emulator.setSwitches({ plan_limits: true });
    const jit = await send("PATCH", D + id, { jit_provisioning_enabled: true });
    expect([...shown(jit), jit.json["detail"]]).toEqual([
      400,
      "feature_not_available",
      "jit_provisioning_enabled",
      JIT,
    ]);
    expect((await send("POST", D, { domain: "b.example" })).status).toBe(201);
    emulator.setSwitches({ cloud: true });
    const made = await send("POST", D, { domain: "c.example" });
    expect([made.status, made.json["code"], made.json["detail"]]).toEqual([403, "permission_denied", JIT]);
  });

  test("142 the list is sorted, and there is a log of SCIM", async () => {
    insert({ domain: "b.example" });
    const id = insert({ domain: "a.example" });
    expect(rows(await send("GET", D)).map((row) => row["domain"])).toEqual(["a.example", "b.example"]);
    expect(rows(await send("GET", `${D}${id}/scim/logs/`))).toEqual([]);
  });
});

describe("current: identity provider configurations", () => {
  const make = async (body: object = {}): Promise<Body> => (await send("POST", C, { name: "Okta", ...body })).json;

  test("143 144 create, list, get, change and delete; admins only", async () => {
    const first = await make();
    await make({ name: "Entra" });
    expect(rows(await send("GET", C, undefined, "k")).map((row) => row["name"])).toEqual(["Okta", "Entra"]);
    expect((await send("PATCH", C + idOf(first), { name: "Okta 2" })).json["name"]).toBe("Okta 2");
    expect((await send("PUT", C + idOf(first), {})).status).toBe(400);
    expect((await send("POST", C, { name: "x" }, "mia")).status).toBe(403);
    expect((await send("GET", `${C}${idOf(first)}/scim/logs/`)).status).toBe(200);
    expect((await send("DELETE", C + idOf(first))).status).toBe(204);
    expect((await send("GET", C + idOf(first))).status).toBe(404);
  });

  test("145 has the fields of today, with their limits", async () => {
    const names =
      "config_scope created_at domain_scope has_id_jag has_saml has_scim id id_jag_allowed_clients id_jag_issuer_url id_jag_jwks_url name organization_domain_ids saml_acs_url saml_entity_id saml_relay_state saml_x509_cert scim_base_url scim_bearer_token scim_enabled updated_at";
    expect(Object.keys(await make()).toSorted()).toEqual(names.split(" "));
    const saml = { saml_entity_id: "e", saml_acs_url: "https://idp.example/acs", saml_x509_cert: "c" };
    expect(await make(saml)).toMatchObject({ ...saml, has_saml: true });
    expect(shown(await send("POST", C, {}))).toEqual([400, "required", "name"]);
    expect((await send("POST", C, { name: "x", config_scope: "ldap" })).status).toBe(400);
    expect((await send("POST", C, { name: "x", saml_entity_id: "e".repeat(513) })).status).toBe(400);
    expect((await send("POST", C, { name: "x", id_jag_allowed_clients: ["c".repeat(257)] })).status).toBe(400);
  });

  test("146 the token is shown once", async () => {
    const made = await make();
    expect(made["scim_bearer_token"]).toBeNull();
    const enabled = await send("PATCH", C + idOf(made), { scim_enabled: true });
    expect(enabled.json["scim_bearer_token"]).toMatch(/^.{40}$/);
    expect((await send("PATCH", C + idOf(made), { scim_enabled: true })).json["scim_bearer_token"]).toBeNull();
    expect((await send("GET", C + idOf(made))).json["scim_bearer_token"]).toBeNull();
    const again = await send("POST", `${C}${idOf(made)}/scim/token/`);
    expect(again.json["scim_bearer_token"]).not.toBe(enabled.json["scim_bearer_token"]);
  });

  test.each([
    ["scim_enabled", true, "SCIM provisioning is not available for this organization."],
    ["id_jag_issuer_url", "https://idp.example", "XAA (ID-JAG) is not available for this organization."],
  ])("147 %s needs the plan", async (field, value, detail) => {
    emulator.setSwitches({ plan_limits: true });
    const refused = await send("POST", C, { name: "x", [field]: value });
    expect([...shown(refused), refused.json["detail"]]).toEqual([400, "feature_not_available", field, detail]);
  });

  test("148 urls are trimmed, empty ones are null, and internal ones refused", async () => {
    const made = await make({ saml_acs_url: " https://idp.example/acs// ", id_jag_jwks_url: "" });
    expect(made).toMatchObject({ saml_acs_url: "https://idp.example/acs", id_jag_jwks_url: null });
    const refused = await send("POST", C, { name: "x", saml_acs_url: "http://127.0.0.1/acs" });
    expect(refused.json["detail"]).toBe("URL is not allowed: http://127.0.0.1/acs");
  });

  test("149 232 a domain moves from one configuration to another without a word; foreign ones are refused", async () => {
    const id = insert({ domain: "a.example" });
    const first = await make({ config_scope: "saml", organization_domain_ids: [id] });
    const other = await make({ config_scope: "scim", organization_domain_ids: [id] });
    await make({ name: "Entra", config_scope: "saml", organization_domain_ids: [id] });
    expect((await send("GET", C + idOf(first))).json["organization_domain_ids"]).toEqual([]);
    expect((await send("GET", C + idOf(other))).json["organization_domain_ids"]).toEqual([id]);
    const foreign = String(emulator.insert("domain", { organization: FOREIGN }, { domain: "f.example" }).id);
    const refused = await send("POST", C, { name: "x", organization_domain_ids: [foreign] });
    expect(refused.json["detail"]).toBe("All domains must belong to this organization.");
  });

  test("144 the other dialects do not have them", async () => {
    ({ send } = await start({ dialect: "deployed" }));
    expect((await send("GET", C)).status).toBe(404);
  });
});
