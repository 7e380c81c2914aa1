/** What is said about lists that could not be read: once for each cause. */
import { expect, it } from "vitest";
import { ApiError } from "../../../src/api/errors/errors.ts";
import { CODES } from "../../../src/model/diagnostic-codes.ts";
import { type LiveList, withoutProblem } from "../../../src/model/live.ts";
import { listProblem, listProblems } from "../../../src/world/list-problems.ts";

const KNOWN: LiveList = { status: "known", objects: [] };

/** A list that could not be read. The message names its operation. */
function unread(kind: "auth" | "network", operation: "domains.list" | "members.list"): LiveList {
  const about = { method: "GET", path: "/", status: null, code: null, attr: null, detail: "", hint: "Look." } as const;
  const error = new ApiError({ ...about, kind, operation, tookEffect: "no", message: `${operation} failed` });
  const problem = listProblem(error, "Check the key.", "acme");
  return { status: "unknown", reason: error.message, isDenied: true, problem, objects: [] };
}

it("a rejected key is one cause for all lists, and is known as that", () => {
  const lists = [unread("auth", "domains.list"), KNOWN, unread("auth", "members.list")];
  expect(listProblems(lists)).toHaveLength(1);
  expect(lists.map((list) => (list.status === "known" ? undefined : list.problem?.isKeyRejected))).toEqual([
    true,
    undefined,
    true,
  ]);
});

it("another failure is a cause of its own", () => {
  expect(listProblems([unread("network", "domains.list"), unread("network", "members.list")])).toHaveLength(2);
});

it("an outage is one cause for all lists, and says how often they were asked for", () => {
  const about = { kind: "server", method: "GET", status: 503, hint: "", tookEffect: "maybe", message: "out" } as const;
  const lists = ["/a/", "/a/", "/b/"].map((path): LiveList => {
    const error = new ApiError({ ...about, operation: "domains.list", path, tries: 2 });
    const problem = listProblem(error, "", "acme");
    return { status: "unknown", reason: error.message, isDenied: false, problem, objects: [] };
  });
  const [first, ...others] = listProblems(lists);
  expect(first).toMatchObject({ code: CODES.outage, message: expect.stringContaining("4 tries") });
  expect([first?.address, others]).toEqual([undefined, []]);
});

it("nothing is taken from a list that was read", () => {
  expect(withoutProblem(KNOWN)).toBe(KNOWN);
  expect(listProblems([KNOWN, withoutProblem(unread("auth", "domains.list"))])).toEqual([]);
});
