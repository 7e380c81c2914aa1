import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import {
  isRecent,
  readRecentCreates,
  recentCreatesPath,
  saveRecentCreates,
  toCreatedObject,
  type CreatedObject,
} from "../../../../src/apply/journal/recent-creates.ts";
import type { OpenIntent } from "../../../../src/apply/journal/intents.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { listKey } from "../../../../src/model/live.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { journalPath, syncs } from "../journals.ts";
import { apiError, change, intentOf, world, type World } from "../support.ts";

const DOMAIN = change("domain", { domain: "a.com" });

describe("the search for objects that an earlier run created and no list shows", () => {
  /** A plan that saw nothing. */
  const unseen = (): World => {
    const given = world();
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: [] });
    return given;
  };

  const notFound = apiError("domains.get", { kind: "not_found", status: 404, tookEffect: "no" });
  /** Created a second ago, and in no list. */
  const hidden = (): World => {
    const given = unseen();
    const { id } = given.add("domains", { domain: "a.com" });
    given.journal.made.push(toCreatedObject(intentOf({ at: given.clock.time - 1_000 }), String(id)));
    given.on("domains.list", () => ({ status: 200, body: [] }));
    return given;
  };

  it("reads the object by its id, and creates nothing if it exists", async () => {
    const given = hidden();
    const [outcome] = await given.apply(DOMAIN);
    expect(outcome).toMatchObject({ status: "skipped", id: "domains-1", error: { code: "stale" } });
    expect(sentencesOf(outcome?.error)).toMatchSnapshot();
    expect([given.log, given.clock.slept]).toEqual([["domains.list", "domains.get domains-1"], []]);
  });

  it("reads and lists again after the lag if the object is not found", async () => {
    const given = hidden();
    given.on(
      "domains.get",
      () => Promise.reject(notFound),
      () => Promise.reject(notFound),
    );
    expect((await given.apply(DOMAIN))[0]).toMatchObject({ status: "skipped", error: { code: "stale" } });
    expect(given.clock.slept).toEqual([2_000]);
    expect(given.log).not.toContain("domains.create");
  });

  it("creates the object if neither shows it", async () => {
    const given = hidden();
    given.rows.clear();
    expect((await given.apply(DOMAIN))[0]).toMatchObject({ status: "applied", id: "domains-2" });
    expect(given.clock.slept).toEqual([2_000]);
  });

  it("does not read and list again once the lag is over", async () => {
    const given = hidden();
    given.rows.clear();
    given.clock.time += 2_000;
    expect((await given.apply(DOMAIN))[0]).toMatchObject({ status: "applied" });
    expect([given.log, given.clock.slept]).toEqual([["domains.list", "domains.get domains-1", "domains.create"], []]);
  });

  it("does not take another object for it if the service answers with one", async () => {
    const given = hidden();
    const other = (): { status: number; body: JsonObject } => ({ status: 200, body: { id: "other", domain: "a.com" } });
    given.on("domains.get", other, other);
    expect((await given.apply(DOMAIN))[0]).toMatchObject({ status: "skipped", id: "domains-1" });
    expect(given.clock.slept).toEqual([2_000]);
  });

  it("is not needed if the list shows the object to be replaced", async () => {
    const given = world();
    given.add("invites", { target_email: "a@b.c", level: 1 });
    given.journal.made.push(toCreatedObject(intentOf({ kind: "invite", key: "a@b.c" }), "invites-0"));
    const [live] = given.live("invite");
    if (live === undefined) throw new Error("it was added");
    given.lists.set(listKey("acme", "invite"), { status: "known", objects: [live] });
    const invite = change("invite", { target_email: "a@b.c", level: 8 }, { live });
    expect((await given.apply(invite))[0]).toMatchObject({ action: "replace", status: "applied" });
    expect(given.clock.slept).toEqual([]);
  });

  it("creates nothing if it fails", async () => {
    const given = hidden();
    given.on("domains.get", "always", () => Promise.reject(apiError("domains.get", {})));
    expect((await given.apply(DOMAIN))[0]).toMatchObject({ status: "failed" });
    expect(given.log).not.toContain("domains.create");
  });

  it.each<[string, Partial<OpenIntent>]>([
    ["another service", { url: "https://other.example" }],
    ["another kind", { kind: "invite" }],
    ["another key", { key: "b.com" }],
    ["another scope", { scope: { organization_id: "other" } }],
    ["the day before", { at: 1_700_000_000_000 - 24 * 60 * 60_000 }],
  ])("does not read objects that were created for %s", async (_name, fields) => {
    const given = unseen();
    given.journal.made.push(toCreatedObject(intentOf(fields), "domains-9"));
    expect((await given.apply(DOMAIN))[0]).toMatchObject({ status: "applied" });
    expect(given.log.filter((one) => one.startsWith("domains.get"))).toEqual([]);
  });

  it("lists again after the lag if the kind has no read by id", async () => {
    const given = world();
    given.lists.set(listKey("acme", "invite"), { status: "known", objects: [] });
    const invite = change("invite", { target_email: "a@b.c" });
    const { id } = given.add("invites", { target_email: "a@b.c" });
    const earlier = intentOf({ kind: "invite", key: "a@b.c", at: given.clock.time - 1_000 });
    given.journal.made.push(toCreatedObject(earlier, String(id)));
    given.on("invites.list", () => ({ status: 200, body: [] }));
    expect((await given.apply(invite))[0]).toMatchObject({ status: "skipped", error: { code: "stale" } });
    expect(given.clock.slept).toEqual([2_000]);
    expect(given.log).not.toContain("invites.create");
  });
});

describe("the file of recent creates", () => {
  const HOUR = 60 * 60_000;
  const NOW = 1_700_000_000_000;
  const made = (id: string, hours = 0): CreatedObject => toCreatedObject(intentOf({ at: NOW - hours * HOUR }), id);
  const idsIn = async (path: string): Promise<readonly string[]> =>
    (await readRecentCreates(path)).map((one) => one.made);

  /** Saves one more create beside earlier ones. */
  async function saved(...before: readonly CreatedObject[]): Promise<string> {
    const path = recentCreatesPath(await journalPath());
    await saveRecentCreates(path, [], before);
    await saveRecentCreates(path, before, [made("new")]);
    return path;
  }

  it("stands beside the journal", () => {
    expect(recentCreatesPath("/state/a.journal")).toBe("/state/a.created");
    expect(recentCreatesPath("/state/a.journal.d/b")).toBe("/state/a.journal.d/b.created");
  });

  it("counts an object as recent for a day", () => {
    expect([0, 1, 23.9, 24, 25].map((hours) => isRecent(made("one", hours), NOW))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("is empty if it does not exist", async () => {
    expect(await readRecentCreates(recentCreatesPath(await journalPath()))).toEqual([]);
  });

  it("keeps expired objects until they are the majority", async () => {
    expect(await idsIn(await saved(made("old", 25), made("kept")))).toEqual(["old", "kept", "new"]);
    expect(await idsIn(await saved(made("old", 25), made("older", 26), made("kept")))).toEqual(["kept", "new"]);
    expect(await idsIn(await saved(made("one"), made("two"), made("three")))).toEqual(["one", "two", "three", "new"]);
  });

  it("is synced, because the records in the journal are removed afterwards", async () => {
    const path = recentCreatesPath(await journalPath());
    expect(await syncs(() => saveRecentCreates(path, [], [made("a")]))).toBe(1);
  });

  it.each([
    ["appended", [made("a"), made("b")]],
    ["written anew", [made("a", 25), made("b", 25), made("c", 25)]],
  ])("holds nothing but one line per object if it is %s", async (_name, before) => {
    const path = recentCreatesPath(await journalPath());
    await saveRecentCreates(path, [], before);
    await saveRecentCreates(path, before, [made("d"), made("e")]);
    const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
    expect(lines.map((line) => (JSON.parse(line) as CreatedObject).made)).toEqual(await idsIn(path));
    expect(lines.length).toBeGreaterThan(1);
  });
});
