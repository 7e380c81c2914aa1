import { describe, expect, it } from "vitest";
import type { Change } from "../../../../src/model/change.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { listKey } from "../../../../src/model/live.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { apiError, change, intentOf, loses, ORGANIZATION, world, type World } from "../support.ts";

const DOMAIN = { domain: "a.com" };

describe("the replace of an invite", () => {
  const replacing = (): { readonly given: World; readonly replace: Change } => {
    const given = world();
    given.add("invites", { target_email: "eve@acme.com", level: 1 });
    const [live] = given.live("invite");
    return { given, replace: change("invite", { target_email: "eve@acme.com", level: 8 }, { live }) };
  };

  it("journals, removes, creates", async () => {
    const { given, replace } = replacing();
    const journaled: (readonly string[])[] = [];
    given.on("invites.delete", (serve) => {
      journaled.push([...given.journal.records]);
      return serve();
    });
    expect(await given.apply(replace)).toMatchObject([{ action: "replace", status: "applied", id: "invites-2" }]);
    expect(given.log.filter((one) => !one.endsWith("list"))).toEqual(["invites.delete invites-1", "invites.create"]);
    expect(journaled).toEqual([["begin eve@acme.com"]]);
    expect(given.journal.open()).toEqual([]);
  });

  it("sends nothing if the old object cannot be removed, or has changed", async () => {
    for (const how of ["refused", "changed"]) {
      const { given, replace } = replacing();
      if (how === "refused")
        given.on("invites.delete", () =>
          Promise.reject(apiError("invites.delete", { kind: "scope", status: 403, tookEffect: "no" })),
        );
      else given.rows.set("invites", [{ id: "invites-1", target_email: "eve@acme.com", level: 15 }]);
      expect(await given.apply(replace)).toMatchObject([{ status: how === "refused" ? "failed" : "skipped" }]);
      expect(given.log).not.toContain("invites.create");
      expect(given.journal.open()).toEqual([]);
    }
  });

  it("reports that the old object is gone if the new one is refused", async () => {
    const { given, replace } = replacing();
    given.on("invites.create", () =>
      Promise.reject(apiError("invites.create", { kind: "invalid", status: 400, tookEffect: "no" })),
    );
    const outcomes = await given.apply(replace);
    expect(outcomes).toMatchObject([{ status: "failed", error: { code: "invalid" } }]);
    expect(sentencesOf(outcomes[0]?.error)).toMatchSnapshot();
  });

  describe("that carries over a value keeps its intent open, which alone has the value, if the old object", () => {
    const no = { kind: "invalid", status: 400, tookEffect: "no" } as const;
    const refuses = (operation: string) => () => Promise.reject(apiError(operation, no));
    const rows: readonly (readonly [string, boolean, (given: World) => void])[] = [
      [
        "was removed, but the create is refused",
        true,
        (given) => given.on("invites.create", refuses("invites.create")),
      ],
      [
        "may have been removed, as no list can be read",
        true,
        (given) => {
          given.on("invites.delete", (...sent) => {
            given.on("invites.list", "always", refuses("invites.list"));
            return loses("invites.delete")(...sent);
          });
        },
      ],
      [
        "is still listed after its removal was accepted",
        true,
        (given) => given.on("invites.delete", () => ({ status: 200, body: undefined })),
      ],
      ["was not removed", false, (given) => given.on("invites.delete", refuses("invites.delete"))],
      [
        "was not removed, because it has changed",
        false,
        (given) =>
          given.rows.set("invites", [{ id: "invites-1", target_email: "eve@acme.com", level: 15, message: "hi" }]),
      ],
    ];
    it.each(rows)("%s: %s", async (_name, isOpen, prepare) => {
      const given = world({ otherRuns: "look after" });
      given.add("invites", { target_email: "eve@acme.com", level: 1, message: "hi" });
      const [live] = given.live("invite");
      prepare(given);
      const outcomes = await given.apply(change("invite", { target_email: "eve@acme.com", level: 8 }, { live }));
      expect(outcomes[0]?.status).not.toBe("applied");
      expect(given.journal.open().map(({ carried }) => carried)).toEqual(isOpen ? [{ message: "hi" }] : []);
    });
  });

  it("that carries nothing over closes its intent if the create is refused", async () => {
    const { given, replace } = replacing();
    given.on("invites.create", () => Promise.reject(apiError("invites.create", { kind: "invalid", tookEffect: "no" })));
    expect(await given.apply(replace)).toMatchObject([{ status: "failed" }]);
    expect(given.journal.open()).toEqual([]);
  });

  it("whose answer was lost sends no second e-mail", async () => {
    const { given, replace } = replacing();
    given.on("invites.create", loses("invites.create"));
    expect(await given.apply(replace)).toMatchObject([{ status: "applied", id: "invites-2" }]);
    expect(given.log.filter((one) => one === "invites.create")).toHaveLength(1);
  });

  it("that was cut off after the removal creates once, and after the request not again", async () => {
    for (const landed of [false, true]) {
      const given = world({ intents: [intentOf({ kind: "invite", key: "eve@acme.com", known: ["invites-0"] })] });
      given.lists.set(listKey("acme", "invite"), { status: "known", objects: [] });
      if (landed) given.add("invites", { target_email: "eve@acme.com", level: 8 });
      expect(await given.apply(change("invite", { target_email: "eve@acme.com", level: 8 }))).toMatchObject([
        { status: "applied", id: "invites-1" },
      ]);
      expect(given.log.filter((one) => one === "invites.create")).toHaveLength(landed ? 0 : 1);
    }
  });
});

describe("the replace of a batch export", () => {
  const values = (type: string, paused = false): JsonObject => ({
    name: "E",
    interval: "hour",
    paused,
    destination: { type, config: {} },
  });
  const replacing = (
    open: boolean,
    options: Parameters<typeof world>[0] = {},
  ): { readonly given: World; readonly replace: Change } => {
    const intents = open
      ? [intentOf({ kind: "batch_export", key: "E", known: ["batch_exports-1"], replaces: "batch_exports-1" })]
      : [];
    const given = world({ intents, ...options });
    given.add("batch_exports", { ...values("NoOp"), model: "persons" });
    const [live] = given.live("batch_export");
    return { given, replace: change("batch_export", values("HTTP"), { live }) };
  };
  const writes = (given: World): readonly string[] => given.log.filter((one) => !/\.(?:get|list)\b/.test(one));

  it("creates, then removes, then unpauses", async () => {
    const { given, replace } = replacing(false);
    expect(await given.apply(replace)).toMatchObject([{ action: "replace", status: "applied", id: "batch_exports-2" }]);
    expect(writes(given)).toEqual([
      "batch_exports.create",
      "batch_exports.delete batch_exports-1",
      "batch_exports.unpause batch_exports-2",
    ]);
    expect(given.journal.records).toEqual(["begin E", "settle batch_exports-2"]);
  });

  it("does not take the old object for that of another run if the name is taken", async () => {
    const { given, replace } = replacing(false, { otherRuns: "look after" });
    given.on("batch_exports.create", () =>
      Promise.reject(
        apiError("batch_exports.create", { kind: "invalid", status: 400, code: "unique", tookEffect: "no" }),
      ),
    );
    expect(await given.apply(replace)).toMatchObject([{ status: "failed", error: { code: "unique" } }]);
    expect(writes(given)).toEqual(["batch_exports.create"]);
  });

  it("is not begun if another change failed", async () => {
    const { given, replace } = replacing(false);
    given.on("domains.create", () =>
      Promise.reject(apiError("domains.create", { kind: "invalid", status: 400, tookEffect: "no" })),
    );
    const [outcome] = await given.apply(replace, change("domain", DOMAIN));
    expect(outcome).toMatchObject({ status: "skipped", id: "batch_exports-1", error: { code: "not_removed" } });
    expect(writes(given)).toEqual(["domains.create"]);
  });

  it("comes before the removals, which are not begun if it fails", async () => {
    const { given, replace } = replacing(false);
    given.add("domains", DOMAIN);
    const [domain] = given.live("domain");
    given.on("batch_exports.create", () =>
      Promise.reject(apiError("batch_exports.create", { kind: "invalid", status: 400, tookEffect: "no" })),
    );
    const outcomes = await given.apply(
      change("domain", DOMAIN, { live: domain, lifecycle: { state: "absent" } }),
      replace,
    );
    expect(outcomes).toMatchObject([{ status: "skipped", error: { code: "not_removed" } }, { status: "failed" }]);
    expect(writes(given)).toEqual(["batch_exports.create"]);
  });

  it("reports that both objects exist if the old one could not be removed, and keeps the old id and its intent", async () => {
    const { given, replace } = replacing(false);
    given.on("batch_exports.delete", () =>
      Promise.reject(apiError("batch_exports.delete", { kind: "scope", status: 403, tookEffect: "no" })),
    );
    const outcomes = await given.apply(replace);
    const message = expect.stringContaining("batch_exports-2") as string;
    expect(outcomes).toMatchObject([
      { status: "unverified", id: "batch_exports-1", error: { code: "scope", message } },
    ]);
    expect(sentencesOf(outcomes[0]?.error)).toMatchSnapshot();
    expect(given.rows.get("batch_exports")).toMatchObject([{ paused: false }, { paused: true }]);
    // The old object has the values that were carried over until it is removed, so the journal has none.
    expect(given.journal.open()).toMatchObject([{ replaces: "batch_exports-1", carried: undefined }]);
  });

  it("does not remove the old object, nor take its id, if the service ignores a field of the new one", async () => {
    const { given, replace } = replacing(false);
    given.on("batch_exports.create", (serve) => {
      const { status } = serve();
      given.rows
        .get("batch_exports")
        ?.splice(1, 1, { id: "batch_exports-2", ...values("HTTP", true), interval: "day" });
      return { status, body: given.rows.get("batch_exports")?.[1] };
    });
    given.on("batch_exports.update", "always", () => ({ status: 200, body: given.rows.get("batch_exports")?.[1] }));
    const outcomes = await given.apply(replace);
    const message = expect.stringContaining("batch_exports-2") as string;
    expect(outcomes).toMatchObject([
      { status: "unverified", id: "batch_exports-1", error: { code: "ignored_by_service", message } },
    ]);
    expect(given.rows.get("batch_exports")).toHaveLength(2);
    expect(given.journal.open()).toHaveLength(1);
  });

  it("that was cut off after its create takes the new one up again and creates no third", async () => {
    const { given, replace } = replacing(true);
    given.lists.set(listKey("acme", "batch_export"), { status: "known", objects: given.live("batch_export") });
    given.add("batch_exports", { ...values("HTTP"), model: "persons", paused: true });
    expect(await given.apply(replace)).toMatchObject([{ status: "applied", id: "batch_exports-2" }]);
    expect(writes(given)).toEqual(["batch_exports.delete batch_exports-1", "batch_exports.unpause batch_exports-2"]);
    expect(given.journal.open()).toEqual([]);
  });

  it("that was cut off before its create took effect creates once", async () => {
    const { given, replace } = replacing(true);
    expect(await given.apply(replace)).toMatchObject([{ status: "applied", id: "batch_exports-2" }]);
    expect(writes(given)).toEqual([
      "batch_exports.create",
      "batch_exports.delete batch_exports-1",
      "batch_exports.unpause batch_exports-2",
    ]);
    expect(ORGANIZATION).toBe(given.task("batch_export").path["organization_id"]);
  });

  it("is finished if it is interrupted after its create, and not begun if it is interrupted before", async () => {
    for (const [isBegun, status] of [
      [true, "applied"],
      [false, "skipped"],
    ] as const) {
      const { given, replace } = replacing(false);
      if (!isBegun) given.abort.abort();
      given.on("batch_exports.create", (serve) => {
        given.abort.abort();
        return serve();
      });
      expect(await given.apply(replace)).toMatchObject([{ status }]);
      expect(given.rows.get("batch_exports")).toHaveLength(1);
    }
  });

  it("whose old object has changed since keeps both, and says so", async () => {
    const given = world();
    given.add("batch_exports", values("NoOp", true));
    const [live] = given.live("batch_export");
    given.on("batch_exports.get", () => ({
      status: 200,
      body: { id: "batch_exports-1", ...values("NoOp", true), interval: "day" },
    }));
    const outcomes = await given.apply(change("batch_export", values("HTTP", true), { live }));
    const message = expect.stringContaining("batch_exports-2") as string;
    expect(outcomes).toMatchObject([
      { status: "unverified", id: "batch_exports-1", error: { code: "stale", message } },
    ]);
    expect(sentencesOf(outcomes[0]?.error)).toMatchSnapshot();
    expect(given.rows.get("batch_exports")).toHaveLength(2);
  });
});
