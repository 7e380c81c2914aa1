/** What is said about lists that could not be read: once for each cause. */
import { expect, it } from "vitest";
import { ApiError, type ApiErrorFields } from "../../../src/api/errors/errors.ts";
import { CODES } from "../../../src/model/diagnostic-codes.ts";
import { type LiveList, withoutProblem } from "../../../src/model/live.ts";
import { listProblem, listProblems } from "../../../src/world/list-problems.ts";

const KNOWN: LiveList = { status: "known", objects: [] };

/** A list that could not be read. The message names its operation. */
function unread(operation: "domains.list" | "members.list" | "invites.list", more: Partial<ApiErrorFields>): LiveList {
  const about = { method: "GET", path: "/", status: null, code: null, attr: null, detail: "", hint: "Look." } as const;
  const fields = { ...about, kind: "network", operation, tookEffect: "no", message: `${operation} failed` } as const;
  const error = new ApiError({ ...fields, ...more });
  const problem = listProblem(error, "Check the key.", "acme");
  return {
    status: "unknown",
    reason: error.message,
    isDenied: true,
    problem,
    missingPermission: error.missingPermission,
    objects: [],
  };
}

it("a rejected key is one cause for all lists, and is known as that", () => {
  const lists = [unread("domains.list", { kind: "auth" }), KNOWN, unread("members.list", { kind: "auth" })];
  expect(listProblems(lists)).toHaveLength(1);
  expect(lists.map((list) => (list.status === "known" ? undefined : list.problem?.isKeyRejected))).toEqual([
    true,
    undefined,
    true,
  ]);
});

it("another failure is a cause of its own", () => {
  expect(listProblems([unread("domains.list", {}), unread("members.list", {})])).toHaveLength(2);
});

const OUT = { kind: "server", status: 503, tookEffect: "maybe", message: "out", tries: 2 } as const;

it.each<[string, readonly LiveList[], string, string | undefined]>([
  [
    "several lists, and says how often they were asked for",
    ["/a/", "/a/", "/b/"].map((path) => unread("domains.list", { ...OUT, path })),
    "out: 2 lists could not be read in 4 tries",
    undefined,
  ],
  [
    "one list, and names it",
    [unread("domains.list", { ...OUT, path: "/a/", tries: 1 })],
    "out: /a/ could not be read in 1 try",
    "acme",
  ],
])("an outage is one cause for %s", (_name, lists, message, address) => {
  expect(listProblems(lists)).toEqual([
    { severity: "error", code: CODES.outage, message, hint: "Check the key.", ...(address && { address }) },
  ]);
});

it("an address at which nothing answered is no outage of a service", () => {
  const [found] = listProblems([unread("domains.list", { ...OUT, tookEffect: "no" })]);
  expect(found?.code).toBe("unreadable");
});

it("several permissions that the key lacks are one change of the key, beside what has another cause", () => {
  const lacking = (operation: "domains.list" | "invites.list", missingPermission: string) =>
    unread(operation, { kind: "scope", missingPermission });
  const domains = lacking("domains.list", "organization:read");
  const found = listProblems([domains, unread("members.list", {}), lacking("invites.list", "member:read")]);
  expect(found).toMatchObject([
    { code: "unreadable", message: "members.list failed" },
    {
      severity: "error",
      code: "access_denied",
      message: expect.stringContaining("2 scopes"),
      hint: expect.stringMatching(/member:read and organization:read/u),
    },
  ]);
  // Nothing needs the list.
  const unneeded = withoutProblem(lacking("invites.list", "member:read"));
  for (const lists of [
    [domains, domains],
    [domains, unneeded],
  ])
    expect(listProblems(lists)).toMatchObject([{ code: "access_denied", message: "domains.list failed" }]);
});

it("nothing is taken from a list that was read", () => {
  expect(withoutProblem(KNOWN)).toBe(KNOWN);
  expect(listProblems([KNOWN, withoutProblem(unread("domains.list", { kind: "auth" }))])).toEqual([]);
});
