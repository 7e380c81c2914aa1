import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { apiError, change, lost, world } from "../support.ts";
import { EXPORT, only, refused, updating } from "../written.ts";

describe("a batch export", () => {
  it("is created paused, and unpaused once it is verified", async () => {
    const given = world();
    given.on("batch_exports.create", (serve, { body }) => {
      expect(body["paused"]).toBe(true);
      return serve();
    });
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({ status: "applied" });
    expect(given.log).toEqual(["batch_exports.create", "batch_exports.unpause batch_exports-1"]);
    expect(given.rows.get("batch_exports")).toMatchObject([{ paused: false }]);
  });

  it("that is declared paused is created paused and stays so", async () => {
    const given = world();
    expect(await only(given, change("batch_export", { ...EXPORT, paused: true }))).toMatchObject({ status: "applied" });
    expect(given.log).toEqual(["batch_exports.create"]);
  });

  it.each([
    ["refused", apiError("batch_exports.unpause", { kind: "invalid", status: 400, tookEffect: "no" }), "unverified"],
    ["lost", lost("batch_exports.unpause"), "unverified"],
  ])("exists, with its id, if the unpausing is %s", async (_name, error, status) => {
    const given = world();
    given.on("batch_exports.unpause", "always", () => Promise.reject(error));
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({ status, id: "batch_exports-1" });
  });

  it("is unpaused if only the answer to that was lost", async () => {
    const given = world();
    given.on("batch_exports.unpause", (serve) => {
      serve();
      throw lost("batch_exports.unpause");
    });
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({ status: "applied" });
  });

  it.each([
    ["for the key", "scope", 403],
    ["for a user without a current project", "auth", 401],
  ] as const)("is unpaused by PATCH if the operation is refused %s", async (_name, kind, status) => {
    const given = world();
    given.on("batch_exports.unpause", () =>
      Promise.reject(apiError("batch_exports.unpause", { kind, status, tookEffect: "no" })),
    );
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({ status: "applied" });
    expect(given.rows.get("batch_exports")).toMatchObject([{ paused: false }]);
  });

  it("exists, with the error of the PATCH, if the key is not accepted for that either", async () => {
    const given = world();
    for (const operation of ["batch_exports.unpause", "batch_exports.update"])
      given.on(operation, () =>
        Promise.reject(apiError(operation, { kind: "auth", status: 401, tookEffect: "no", hint: operation })),
      );
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({
      status: "unverified",
      error: { code: "auth", hint: "batch_exports.update" },
    });
  });

  it("that accepts a transition without effect is unverified", async () => {
    const given = world();
    given.on("batch_exports.unpause", () => ({ status: 200, body: {} }));
    const outcome = await only(given, change("batch_export", EXPORT));
    expect(outcome).toMatchObject({
      status: "unverified",
      error: {
        code: "ignored_by_service",
        message: expect.stringContaining("set paused") as string,
        paths: ["/paused"],
      },
    });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });

  it("of which only the transition differs is not patched", async () => {
    const { given, update } = updating("batch_export", EXPORT, { ...EXPORT, paused: true });
    expect(await only(given, update)).toMatchObject({ status: "applied", id: "batch_exports-1" });
    expect(given.log.filter((one) => !one.includes(".get"))).toEqual(["batch_exports.pause batch_exports-1"]);
  });

  it("whose transition is ignored is not paused along with an update", async () => {
    const values = { ...EXPORT, interval: "day", paused: true };
    const { given, update } = updating("batch_export", EXPORT, values, { lifecycle: { ignore: ["paused"] } });
    expect(await only(given, update)).toMatchObject({ status: "applied", id: "batch_exports-1" });
    expect(given.rows.get("batch_exports")).toMatchObject([{ interval: "day", paused: false }]);
  });

  it("whose fields were changed but which could not be paused is changed in part", async () => {
    const { given, update } = updating("batch_export", { ...EXPORT, interval: "day" }, { ...EXPORT, paused: true });
    given.on("batch_exports.pause", () =>
      Promise.reject(apiError("batch_exports.pause", { kind: "invalid", status: 400, tookEffect: "no" })),
    );
    const outcome = await only(given, update);
    expect(outcome).toMatchObject({ status: "unverified", error: { code: "invalid" } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });
});

describe("a transition", () => {
  /** Creates an export whose create is answered with `shown`, and whose unpausing is answered with `moved`. */
  async function create(shown: JsonObject, moved?: JsonObject, values: JsonObject = EXPORT) {
    const given = world();
    given.on("batch_exports.create", (serve) => {
      const { status } = serve();
      const row = { ...given.rows.get("batch_exports")?.[0], ...shown };
      const visible = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
      return { status, body: visible };
    });
    if (moved !== undefined)
      given.on("batch_exports.unpause", (serve) => {
        serve();
        return { status: 200, body: moved };
      });
    return { outcome: await only(given, change("batch_export", values)), log: given.log };
  }
  const [CREATE, UNPAUSE, GET] = [
    "batch_exports.create",
    "batch_exports.unpause batch_exports-1",
    "batch_exports.get batch_exports-1",
  ];

  it.each<[string, Parameters<typeof create>, readonly string[]]>([
    ["follows the answer to the create", [{}], [CREATE, UNPAUSE]],
    ["is not needed if the answer shows the declared value", [{ paused: false }], [CREATE]],
    ["reads the object if the answer does not show the field", [{ paused: null }], [CREATE, GET, UNPAUSE]],
    [
      "reads the object if its own answer does not show the field",
      [{}, { id: "batch_exports-1" }],
      [CREATE, UNPAUSE, GET],
    ],
    ["reads the object if its own answer shows the other value", [{}, { paused: true }], [CREATE, UNPAUSE, GET]],
    ["is not needed if the field is declared as null", [{}, {}, { ...EXPORT, paused: null }], [CREATE]],
  ])("%s", async (_name, given, log) => {
    const made = await create(...given);
    expect(made).toMatchObject({ outcome: { status: "applied" }, log });
  });

  it("reads only once if it has taken effect", async () => {
    const given = world();
    given.on("batch_exports.create", (serve) => {
      const answer = serve();
      given.rows.set("batch_exports", [{ id: "batch_exports-1", ...EXPORT }]);
      const { paused: _paused, ...visible } = answer.body as JsonObject;
      return { ...answer, body: visible };
    });
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({ status: "applied" });
    expect(given.log).toEqual([CREATE, GET]);
  });

  it("is not sent as PATCH if the refusal is not about the key", async () => {
    const given = world();
    given.on("batch_exports.unpause", () => Promise.reject(refused("batch_exports.unpause")));
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({ status: "unverified" });
    expect(given.log.filter((one) => one.includes("update"))).toEqual([]);
  });
});
