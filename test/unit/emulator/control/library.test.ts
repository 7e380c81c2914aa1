import { describe, expect, test } from "vitest";
import { loadSeed, startEmulator } from "../../../../src/emulator/index.ts";
import { clock, ORG, rows, start } from "../harness.ts";

describe("the library", () => {
  test("an edit changes read-only fields and is not logged as a request", async () => {
    const { emulator, send } = await start();
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example" });
    emulator.edit("domain", id, { is_verified: true, verified_at: "2029-01-01T00:00:00Z" });
    expect(emulator.requests).toEqual([]);
    expect((await send("GET", `/api/organizations/${ORG}/domains/${id}/`)).json).toMatchObject({
      is_verified: true,
      verified_at: "2029-01-01T00:00:00Z",
    });
  });

  test("an edit can override a computed field", async () => {
    const { emulator, send } = await start();
    emulator.edit("organization", ORG, { membership_level: 8 });
    expect((await send("GET", `/api/organizations/${ORG}/`)).json["membership_level"]).toBe(8);
  });

  test("an edit accepts the e-mail address of an author", async () => {
    const { emulator, send } = await start();
    const { id } = emulator.insert("insight", { project: 2 }, { name: "n" });
    emulator.edit("insight", id, { name: "m", last_modified_by: "mia@example.com" });
    const { json } = await send("GET", `/api/projects/2/insights/${id}/`);
    expect(json).toMatchObject({ name: "m", last_modified_by: { first_name: "Mia" } });
  });

  test("find returns secrets, and copies that are independent of the store", async () => {
    const { emulator } = await start();
    const destination = { type: "S3", config: { aws_secret_access_key: "s" } };
    emulator.insert("batch_export", { project: 2 }, { name: "x", destination });
    const found = emulator.find("batch_export", (row) => row["name"] === "x");
    expect(found).toMatchObject([{ destination }]);
    for (const row of found) Object.assign(row["destination"] as object, { type: "changed" });
    expect(emulator.find("batch_export")).toMatchObject([{ destination }]);
  });

  test("a removed object is not found", async () => {
    const { emulator, send } = await start();
    const { id } = emulator.insert("insight", { project: 2 }, { name: "n" });
    emulator.remove("insight", id);
    expect((await send("PATCH", `/api/projects/2/insights/${id}/`, { deleted: false })).status).toBe(404);
  });

  test("a missing object is an error that names the object", async () => {
    const { emulator } = await start();
    expect(() => emulator.edit("domain", "nope", {})).toThrow('no domain "nope"');
    expect(() => emulator.insert("insight", { project: 404 }, {})).toThrow('no project "404"');
  });

  test("the same clock and random numbers produce the same answers", async () => {
    const options = { now: clock().now, random: () => 0.25 };
    const texts = [];
    for (const { send } of [await start(options), await start(options)]) {
      texts.push((await send("POST", "/api/projects/2/insights/", { name: "n" })).text);
    }
    expect(texts[0]).toBe(texts[1]);
  });

  test("constant random numbers still produce different ids", async () => {
    const { emulator } = await start({ random: () => 0 });
    const made = ["a", "b"].map((name) => emulator.insert("insight", { project: 2 }, { name }));
    expect(made[0]?.["short_id"]).not.toBe(made[1]?.["short_id"]);
  });

  test("a port that is in use is an error", async () => {
    const { emulator } = await start();
    const port = Number(new URL(emulator.url).port);
    await expect(startEmulator({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  test("latency uses the injected sleep and stays within its range", async () => {
    const waits: number[] = [];
    const sleep = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms));
    const { send } = await start({ latencyMs: { min: 10, max: 20 }, random: () => 0.5, sleep });
    await send("GET", "/api/organizations/");
    expect(waits).toEqual([15]);
  });
});

describe("a seed", () => {
  test("creates organizations, projects and their contents", async () => {
    const seed = loadSeed(
      JSON.stringify({
        organizations: [
          {
            id: ORG,
            name: "Acme",
            enforce_2fa: true,
            projects: [
              { id: 7, name: "Web", batch_exports: [{ name: "p" }], insights: [{ id: 40, name: "i", tags: ["t"] }] },
            ],
            members: [{ email: "mia@example.com", level: 8, first_name: "Mia" }],
            domains: [{ domain: "a.example", is_verified: true }],
            invites: [{ target_email: "n@b.example", level: 8 }],
            batch_exports: [{ name: "o" }],
            pipeline_import_apps: [{ name: "app" }],
          },
        ],
      }),
    );
    const { emulator, send } = await start({ seed });
    const { json } = await send("GET", `/api/organizations/${ORG}/`);
    expect(json).toMatchObject({ name: "Acme", enforce_2fa: true, member_count: "2", teams: [{ id: 7, name: "Web" }] });
    expect(rows(await send("GET", "/api/projects/7/insights/"))).toMatchObject([{ id: 40, name: "i", tags: ["t"] }]);
    expect(rows(await send("GET", `/api/organizations/${ORG}/batch_exports/`)).length).toBe(2);
    expect(rows(await send("GET", "/api/projects/7/batch_exports/"))).toMatchObject([{ name: "p" }]);
    expect(emulator.find("domain")).toMatchObject([{ is_verified: true }]);
    expect(emulator.find("invite")).toMatchObject([{ level: 8 }]);
    expect(emulator.find("pipeline_import_app")).toMatchObject([{ name: "app" }]);
  });

  test("new ids are larger than those of the seed", async () => {
    const { emulator, send } = await start();
    emulator.insert("insight", { project: 2 }, { id: 40 });
    expect((await send("POST", "/api/projects/2/insights/", {})).json["id"]).toBe(41);
  });

  test.each([
    ["text that is not JSON", "{", "not JSON"],
    ["a list", "[]", "/: an object is expected"],
    ["an unknown key", '{"organisations":[]}', "/organisations: there is no such field"],
    ["an organization without a name", '{"organizations":[{}]}', "/organizations/0/name"],
    ["domains that are not a list", '{"organizations":[{"name":"a","domains":{}}]}', "/organizations/0/domains"],
    [
      "an unknown key of a project",
      '{"organizations":[{"name":"a","projects":[{"name":"w","x":1}]}]}',
      "/projects/0/x",
    ],
  ])("%s is refused with its position", (_case, text, message) => {
    expect(() => loadSeed(text)).toThrow(message);
  });

  test("all problems are reported together", () => {
    expect(() => loadSeed('{"organizations":[{},{"name":"b","members":[{}]}]}')).toThrow(
      expect.objectContaining({ problems: [expect.any(String), expect.any(String)] }),
    );
  });
});
