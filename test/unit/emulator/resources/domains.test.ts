import { describe, expect, test } from "vitest";
import { FOREIGN, idOf, ORG, rows, start } from "../harness.ts";

const PATH = `/api/organizations/${ORG}/domains/`;

describe("domains", () => {
  test("create returns the defaults of an unverified domain", async () => {
    const { send } = await start();
    const reply = await send("POST", PATH, { domain: "a.example" });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      id: expect.any(String),
      domain: "a.example",
      is_verified: false,
      verified_at: null,
      verification_challenge: expect.stringMatching(/^[\w-]{43}$/),
      jit_provisioning_enabled: false,
      sso_enforcement: "",
      has_saml: false,
      saml_entity_id: null,
      saml_acs_url: null,
      saml_x509_cert: null,
    });
  });

  test("every writable field is stored as sent", async () => {
    const { send } = await start();
    const sent = {
      domain: "a.example",
      jit_provisioning_enabled: true,
      sso_enforcement: "saml",
      saml_entity_id: "e",
      saml_acs_url: "u",
      saml_x509_cert: " c\n",
    };
    const { json } = await send("POST", PATH, sent);
    expect((await send("GET", `${PATH}${idOf(json)}/`)).json).toMatchObject({ ...sent, has_saml: true });
  });

  test("a patch changes only what it names", async () => {
    const { send } = await start();
    const { json } = await send("POST", PATH, { domain: "a.example", sso_enforcement: "saml" });
    await send("PATCH", `${PATH}${idOf(json)}/`, { jit_provisioning_enabled: true });
    const { json: after } = await send("GET", `${PATH}${idOf(json)}/`);
    expect(after).toEqual({ ...json, jit_provisioning_enabled: true });
  });

  test("a name that another organization has is 400 unique", async () => {
    const { emulator, send } = await start();
    emulator.insert("domain", { organization: FOREIGN }, { domain: "a.example" });
    const reply = await send("POST", PATH, { domain: "a.example" });
    expect([reply.status, reply.json["code"], reply.json["attr"]]).toEqual([400, "unique", "domain"]);
  });

  test("a domain may be patched with its current name", async () => {
    const { emulator, send } = await start();
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example" });
    expect((await send("PATCH", `${PATH}${id}/`, { domain: "a.example" })).status).toBe(200);
  });

  test("verify returns the verified domain", async () => {
    const { emulator, send } = await start({ now: () => new Date("2030-01-02T03:04:05Z") });
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example" });
    const reply = await send("POST", `${PATH}${id}/verify/`, {});
    expect(reply.json).toMatchObject({ is_verified: true, verified_at: "2030-01-02T03:04:05Z" });
  });

  test("verify does not change a domain that does not resolve", async () => {
    const { emulator, send } = await start({ resolves: () => false });
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example" });
    const reply = await send("POST", `${PATH}${id}/verify/`);
    expect([reply.status, reply.json["is_verified"]]).toEqual([200, false]);
  });

  test("the list is sorted by name and shows the same fields as a single read", async () => {
    const { emulator, send } = await start();
    emulator.insert("domain", { organization: ORG }, { domain: "b.example" });
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example" });
    const [first, second] = rows(await send("GET", PATH));
    expect(first).toEqual((await send("GET", `${PATH}${id}/`)).json);
    expect(second?.["domain"]).toBe("b.example");
  });

  test("a deleted domain is 404, also for a second delete", async () => {
    const { emulator, send } = await start();
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example" });
    const statuses = [
      await send("DELETE", `${PATH}${id}/`),
      await send("GET", `${PATH}${id}/`),
      await send("DELETE", `${PATH}${id}/`),
    ];
    expect(statuses.map((reply) => reply.status)).toEqual([204, 404, 404]);
  });

  test("a domain of another organization is 404", async () => {
    const { emulator, send } = await start();
    const { id } = emulator.insert("domain", { organization: FOREIGN }, { domain: "a.example" });
    expect((await send("GET", `${PATH}${id}/`)).status).toBe(404);
  });
});
