import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { beforeEach, describe, expect, test } from "vitest";
import { controlSender, type ControlSend } from "./client.ts";
import { ORG, start, type Send } from "../harness.ts";
import { startEmulator, type Emulator } from "../../../../src/emulator/index.ts";

let emulator: Emulator;
let send: Send;
let control: ControlSend;

beforeEach(async () => {
  ({ emulator, send } = await start({ controlPort: 0 }));
  control = controlSender(emulator);
});

const DOMAINS = `/api/organizations/${ORG}/domains/`;

describe("the control interface", () => {
  test("is closed by default", async () => {
    const { emulator: other } = await start();
    expect(other.controlUrl).toBeUndefined();
  });

  test("listens on the loopback address only, even if the service does not", async () => {
    const other = await startEmulator({ host: "0.0.0.0", controlPort: 0 });
    expect(new URL(other.controlUrl ?? "").hostname).toBe("127.0.0.1");
    const outside = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .find(({ family, internal }) => family === "IPv4" && !internal);
    const reaches = (url: string, host: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect(Number(new URL(url).port), host, () => resolve(true));
        socket.on("error", () => resolve(false));
        socket.on("connect", () => socket.destroy());
      });
    if (outside !== undefined) {
      expect(await reaches(other.controlUrl ?? "", outside.address)).toBe(false);
      expect(await reaches(other.url, outside.address)).toBe(true);
    }
    await other.close();
  });

  test("a port that is in use stops the service too", async () => {
    const taken = Number(new URL(emulator.url).port);
    await expect(startEmulator({ controlPort: taken })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  test("inserts, finds, edits and removes objects", async () => {
    const made = await control("POST", "/objects/domain", {
      scope: { organization: ORG },
      values: { domain: "a.example" },
    });
    expect([made.status, made.json["domain"]]).toEqual([201, "a.example"]);
    const one = `/objects/domain/${String(made.json["id"])}`;
    expect((await control("PATCH", one, { is_verified: true })).json["is_verified"]).toBe(true);
    expect((await control("GET", "/objects/domain?is_verified=true")).json[0]?.["domain"]).toBe("a.example");
    expect((await control("GET", "/objects/domain?domain=b.example")).json).toEqual([]);
    expect((await control("DELETE", one)).status).toBe(204);
    expect((await send("GET", DOMAINS)).json["count"]).toBe(0);
  });

  test("an insight belongs to a project and is found by its number or its short id", async () => {
    const { json } = await control("POST", "/objects/insight", { scope: { project: 2 }, values: { name: "n" } });
    await control("PATCH", `/objects/insight/${String(json["short_id"])}`, { name: "m" });
    expect((await send("GET", "/api/projects/2/insights/1/")).json["name"]).toBe("m");
  });

  test("adds the contents of a seed", async () => {
    const id = "33333333-3333-4333-8333-333333333333";
    expect((await control("POST", "/seed", { organizations: [{ id, name: "More" }] })).status).toBe(204);
    expect((await send("GET", `/api/organizations/${id}/`)).json).toMatchObject({ name: "More", membership_level: 15 });
    const refused = await control("POST", "/seed", { organizations: [{}] });
    expect([refused.status, refused.json["error"]]).toEqual([400, "/organizations/0/name: a text is needed here."]);
  });

  test("adds and changes projects, and adds events to them", async () => {
    const { json } = await control("POST", "/projects", { organization: ORG, name: "New" });
    await control("PATCH", `/projects/${String(json["id"])}`, { name: "Newer" });
    const events = [{ event: "view", distinct_id: "a", timestamp: "2030-01-01T00:00:00Z", properties: { x: 1 } }];
    expect((await control("POST", `/projects/${String(json["id"])}/events`, events)).json).toEqual({ events: 1 });
    const dump = (await control("GET", "/dump")).json;
    expect(dump["event"]).toMatchObject([{ event: "view", team_id: json["id"] }]);
    expect(dump["project"]).toMatchObject([{ name: "Web" }, { name: "App" }, { name: "Theirs" }, { name: "Newer" }]);
  });

  test("accepts an invite and expires an invite", async () => {
    const invite = async (address: string): Promise<string> => {
      const body = { scope: { organization: ORG }, values: { target_email: address, level: 8 } };
      return String((await control("POST", "/objects/invite", body)).json["id"]);
    };
    expect((await control("POST", `/invites/${await invite("a@x.example")}/accept`)).json["level"]).toBe(8);
    await control("POST", `/invites/${await invite("b@x.example")}/expire`);
    const { json } = await send("GET", `/api/organizations/${ORG}/invites/`);
    expect(json["results"]).toMatchObject([{ target_email: "b@x.example", is_expired: true }]);
  });

  test("lists the requests and clears the list", async () => {
    await send("POST", DOMAINS, { domain: "a.example" });
    await send("GET", DOMAINS);
    expect((await control("GET", "/requests?method=post&path=/domains")).json).toMatchObject([
      { method: "POST", path: DOMAINS, body: { domain: "a.example" }, status: 201 },
    ]);
    expect((await control("DELETE", "/requests")).status).toBe(204);
    expect((await control("GET", "/requests")).json).toEqual([]);
  });

  test.each<[string, string, unknown, string]>([
    ["POST", "/objects/nothing", {}, 'There is no kind "nothing".'],
    ["POST", "/objects/domain", { scope: { organization: "x" }, values: {} }, 'There is no organization "x".'],
    ["POST", "/objects/domain", [], "An object is expected in the body."],
    ["PATCH", "/objects/domain/x", {}, 'no domain "x"'],
    ["POST", "/invites/x/accept", undefined, 'There is no invite "x".'],
    ["PATCH", "/projects/99", {}, 'There is no project "99".'],
    ["POST", "/projects", { organization: "x", name: "y" }, 'There is no organization "x".'],
    ["POST", "/projects/2/events", {}, "A list of events is expected."],
    ["POST", "/projects/2/events", [{ event: "x" }], 'Event 0 needs the texts "event" and "distinct_id"'],
    ["POST", "/projects/2/events", [{ event: "x", distinct_id: "y", timestamp: "z" }], '"z" is no date and time.'],
    ["POST", "/faults", "{", "The body is not JSON."],
    ["DELETE", "/faults/7", undefined, 'There is no fault "7".'],
  ])("%s %s with %j is refused", async (method, path, body, message) => {
    const { status, json } = await control(method, path, body);
    expect([status, json["error"]]).toEqual([400, expect.stringContaining(message)]);
  });

  test("an unknown path is 404, and a body without the content type of JSON is refused", async () => {
    expect((await control("GET", "/nothing")).status).toBe(404);
    expect((await control("POST", "/faults", { fault: { type: "html-502" } }, "text/plain")).status).toBe(400);
    expect(emulator.faults.list()).toEqual([]);
  });
});
