import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Client } from "../../../src/api/client.ts";
import { ApiError } from "../../../src/api/errors/errors.ts";
import { errorFromResponse } from "../../../src/api/errors/from-response.ts";
import { operations } from "../../../src/api/operations/index.ts";
import type { Json } from "../../../src/model/json/json.ts";
import type { LiveList } from "../../../src/model/live.ts";
import type { Pin } from "../../../src/model/resource.ts";
import { withUnlisted } from "../../../src/world/unlisted.ts";
import { budget } from "../../support/budget.ts";

const PLACE = { kind: "insight", scope: "acme/projects/web", path: { project_id: "2" } } as const;
const BY_ID: Pin = { field: "id", value: "7" };
const BY_SHORT_ID: Pin = { field: "short_id", value: "abcdefgh" };
const ROW = { id: 7, short_id: "abcdefgh", name: "Signups" };
const EMPTY: LiveList = { status: "known", objects: [] };
const DENIED = { code: "permission_denied", detail: "You do not have viewer access to this resource." };

/** A client whose single reads all end in one way. */
function answering(answer: Json | ApiError): { readonly client: Client; readonly asked: string[] } {
  const asked: string[] = [];
  const client: Partial<Client> = {
    request: async (operation, { path = {} } = {}) => {
      asked.push(`${operation} ${path["id"] ?? ""}`);
      await Promise.resolve();
      if (answer instanceof ApiError) throw answer;
      return { status: 200, body: answer };
    },
  };
  return { client: client as Client, asked };
}

function refusal(status: number, body: Json = {}): ApiError {
  const operation = operations["insights.get"];
  return errorFromResponse({ operation, path: "/api/projects/2/insights/7/", redact: (text) => text }, status, body);
}

/** What becomes of a pinned object that the list lacks. */
async function fate(answer: Json | ApiError, pin = BY_ID): Promise<"found" | "hidden" | "missing"> {
  const { client } = answering(answer);
  const list = await withUnlisted(client, EMPTY, [pin], PLACE);
  if (list.objects.length > 0) return "found";
  return list.status === "known" && list.hidden?.size === 1 ? "hidden" : "missing";
}

describe("a pinned object that a complete list lacks", () => {
  it("is missing only if the service says that there is none, whatever else it answers", async () => {
    const status = fc.integer({ min: 400, max: 599 }).filter((one) => one !== 404 && one !== 410);
    const code = fc.constantFrom(null, "permission_denied", "not_found", "authentication_failed");
    await fc.assert(
      fc.asyncProperty(status, code, async (answer, word) => {
        expect(await fate(refusal(answer, { code: word, detail: "Not found." }))).toBe("hidden");
      }),
      { numRuns: budget(200) },
    );
    for (const gone of [404, 410]) expect(await fate(refusal(gone, { detail: "Not found." }))).toBe("missing");
  });

  it.each<[string, Json | ApiError, string, Pin?]>([
    ["may not be seen by the key's user", refusal(403, DENIED), "hidden"],
    ["may not be seen, and is pinned by its short_id", refusal(403, DENIED), "hidden", BY_SHORT_ID],
    [
      "is asked for by a user without an organization",
      refusal(404, { detail: "You need to belong to an organization." }),
      "hidden",
    ],
    ["is shown by its id", ROW, "found"],
    ["is shown by its short_id", ROW, "found", BY_SHORT_ID],
    ["is answered with another object", { ...ROW, id: 8 }, "hidden"],
    ["is answered with another object that has the id as its short_id", { id: 8, short_id: "7" }, "hidden"],
    ["is answered with no object", [ROW], "hidden"],
  ])("that %s: %#", async (_name, answer, expected, pin) => {
    expect(await fate(answer, pin)).toBe(expected);
  });
});

it.each<[string, Json | ApiError]>([
  ["a refusal", refusal(403, DENIED)],
  ["another object", { ...ROW, id: 8 }],
])("the list says why a pinned object is hidden: %s", async (_name, answer) => {
  const { client } = answering(answer);
  const list = await withUnlisted(client, EMPTY, [BY_ID], PLACE);
  expect([...(list.status === "known" ? (list.hidden ?? []) : [])]).toMatchSnapshot();
});

it("only what the list lacks is read, and nothing if the list is not known", async () => {
  const { client, asked } = answering(refusal(404));
  const listed: LiveList = {
    status: "known",
    objects: [{ ...PLACE, id: "7", pins: { id: "7" }, keys: [], values: {}, onDifference: "update" }],
  };
  await withUnlisted(client, listed, [BY_ID, { field: "id", value: "9" }], PLACE);
  expect(asked).toEqual(["insights.get 9"]);
  const unknown: LiveList = { status: "unknown", reason: "down", isDenied: false, objects: [] };
  expect(await withUnlisted(client, unknown, [BY_ID], PLACE)).toBe(unknown);
  expect(asked.length).toBe(1);
});

it("a list that lacks a pinned object shows nothing new about what the service takes", async () => {
  expect(await withUnlisted(answering(refusal(404)).client, EMPTY, [BY_ID], PLACE)).not.toHaveProperty("taken");
  expect(await withUnlisted(answering(ROW).client, EMPTY, [BY_ID], PLACE)).toHaveProperty("taken");
});

it("a kind without such a read has no object that its list lacks", async () => {
  const { client, asked } = answering(refusal(500));
  const place = { kind: "invite", scope: "acme", path: { organization_id: "a" } } as const;
  expect(await withUnlisted(client, EMPTY, [BY_ID], place)).toMatchObject({ objects: [], hidden: new Map() });
  expect(asked).toEqual([]);
});
