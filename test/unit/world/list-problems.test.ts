/** What is said about lists that could not be read: once for each cause. */
import { expect, it } from "vitest";
import { ApiError } from "../../../src/api/errors/errors.ts";
import { type LiveList, withoutProblem } from "../../../src/model/live.ts";
import { listProblem, listProblems } from "../../../src/world/list-problems.ts";

const KNOWN: LiveList = { status: "known", objects: [] };

/** A list that could not be read. The message names its operation. */
function unread(kind: "auth" | "network", operation: "domains.list" | "members.list"): LiveList {
  const about = { method: "GET", path: "/", status: null, code: null, attr: null, detail: "", hint: "Look." } as const;
  const error = new ApiError({ ...about, kind, operation, tookEffect: "no", message: `${operation} failed` });
  const problem = listProblem(error, "Check the key.", "acme");
  return { status: "unknown", reason: error.message, denied: true, problem, objects: [] };
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

it("nothing is taken from a list that was read", () => {
  expect(withoutProblem(KNOWN)).toBe(KNOWN);
  expect(listProblems([KNOWN, withoutProblem(unread("auth", "domains.list"))])).toEqual([]);
});
