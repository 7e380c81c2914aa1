/** What each call says of an object and of a natural key after those before it. On the engine: test/pulumi. */
import { expect, it } from "vitest";
import { kinds } from "../../../../src/kinds/registry.ts";
import type { KindName } from "../../../../src/model/kind-name.ts";
import type { LiveObject } from "../../../../src/model/live.ts";
import {
  MARK,
  parseDeclared,
  type DeclaredResource,
  type Properties,
} from "../../../../src/pulumi/properties/properties.ts";
import { ObjectOwners } from "../../../../src/pulumi/provider/object-owners.ts";
import { ACME } from "../../../support/acme.ts";

const OTHER = "0190aa11-0000-4000-8000-00000000000b";
const ID = "1001";
const URN = "urn:pulumi:dev::acme::driftline:index:Insight::signups";

/** The properties of a resource with a mark. */
const marked = (mark: string, more: Properties = {}): Properties => ({
  projectId: 2,
  name: "Signups",
  [MARK]: mark,
  ...more,
});
const declaredAs = (more: Properties = {}, kind: KindName = "insight"): DeclaredResource =>
  parseDeclared(kinds[kind], { projectId: 2, name: "Signups", ...more });
const live = (keys: readonly string[], id = ID): LiveObject => ({
  kind: "insight",
  scope: "projects/2",
  id,
  pins: {},
  keys,
  values: {},
  onDifference: "update",
});

const insights = (): ObjectOwners => new ObjectOwners(kinds.insight);

it("an object belongs to the marks that have claimed it", () => {
  const owners = insights();
  expect(owners.object(ID, marked("a")).owner()).toBeUndefined();
  expect(owners.object(ID, marked("a")).isOwnedByAnother(marked("a"))).toBe(false);
  owners.object(ID, marked("a")).claim(marked("a"));
  expect(owners.object(ID, marked("a")).owner()).toBe("another");
  expect(owners.object(ID, marked("a")).isOwnedByAnother(marked("a"))).toBe(false);
  expect(owners.object(ID, marked("b")).isOwnedByAnother(marked("b"))).toBe(true);
  owners.object(ID, marked("b")).claim(marked("b"));
  owners.object(ID, marked("b")).claim(marked("b"));
  expect(["a", "b"].map((mark) => owners.object(ID, marked(mark)).isOwnedByAnother(marked(mark)))).toEqual([
    true,
    true,
  ]);
  expect(owners.object("1002", marked("a")).owner()).toBeUndefined();
});

it("a resource without a mark owns its object, and is deleted as usual", () => {
  const owners = insights();
  const unmarked = { projectId: 2, name: "Signups" };
  owners.object(ID, marked("a")).claim(marked("a"));
  expect(owners.object(ID, unmarked).isOwnedByAnother(unmarked)).toBe(false);
  owners.object("1002", unmarked).claim(unmarked);
  expect(owners.object("1002", unmarked).owner()).toBe("another");
  expect(owners.object("1002", marked("a")).isOwnedByAnother(marked("a"))).toBe(true);
});

it.each<[string, KindName, string, Properties, string, Properties, boolean]>([
  ["an id in upper case", "insight", "AB", { projectId: 2 }, "ab", { projectId: 2 }, true],
  ["another project", "insight", ID, { projectId: 2 }, ID, { projectId: 3 }, false],
  ["a person in another organization", "member", ID, { organizationId: ACME }, ID, { organizationId: OTHER }, false],
  [
    "an organization in upper case",
    "domain",
    ID,
    { organizationId: ACME },
    ID,
    { organizationId: ACME.toUpperCase() },
    true,
  ],
  ["an object on its other route", "batch_export", ID, { organizationId: ACME }, ID, { projectId: 2 }, true],
])("%s", (_what, kind, id, props, otherId, otherProps, isSame) => {
  const owners = new ObjectOwners(kinds[kind]);
  owners.object(id, { ...props, [MARK]: "a" }).claim({ ...props, [MARK]: "a" });
  expect(owners.object(otherId, { ...otherProps, [MARK]: "b" }).isOwnedByAnother({ ...otherProps, [MARK]: "b" })).toBe(
    isSame,
  );
});

it("a resource that adopts an object is remembered with it, also after the object is deleted", () => {
  const owners = insights();
  owners.object(ID, marked("a")).claim(marked("a"));
  expect(owners.object(ID, marked("a")).isAdoptedBy(URN)).toBe(false);
  expect(owners.object(ID, marked("a")).isAdoptedBy("")).toBe(false);
  owners.object(ID, marked("b")).claim(marked("b"), URN);
  expect(owners.object(ID, marked("a")).isAdoptedBy(URN)).toBe(true);
  expect(owners.object(ID, marked("a")).isAdoptedBy(`${URN}2`)).toBe(false);
  expect(owners.object("1002", marked("a")).isAdoptedBy(URN)).toBe(false);
  owners.recordDelete(ID, marked("a"), undefined);
  expect(owners.object(ID, marked("a")).isAdoptedBy(URN)).toBe(true);
});

it("a create that failed gives back what it has claimed, once, and the claims of others stay", () => {
  const owners = insights();
  owners.object(ID, marked("old")).claim(marked("old"));
  owners.object(ID, marked("new")).claim(marked("new"), URN);
  owners.noteAttempt(URN, { id: ID, props: marked("new"), isMade: false });
  expect(owners.object(ID, marked("old")).isOwnedByAnother(marked("old"))).toBe(true);
  expect(owners.resumeAttempt(URN, URN)).toBeUndefined();
  expect(owners.object(ID, marked("old")).isOwnedByAnother(marked("old"))).toBe(false);
  expect(owners.object(ID, marked("old")).owner()).toBe("another");
  expect(owners.object(ID, marked("new")).isAdoptedBy(URN)).toBe(false);
  owners.object(ID, marked("new")).claim(marked("new"), URN);
  expect(owners.resumeAttempt(URN, URN)).toBeUndefined();
  expect(owners.object(ID, marked("new")).isAdoptedBy(URN)).toBe(true);
});

it("the object that a failed create has made is its own; one that has ended well is forgotten", () => {
  const owners = insights();
  const attempt = { id: ID, props: marked("a"), isMade: true };
  owners.noteAttempt(URN, { ...attempt, isMade: false });
  owners.noteAttempt(URN, attempt);
  expect(owners.resumeAttempt("another", URN)).toBeUndefined();
  expect(owners.resumeAttempt(URN, URN)).toBe(ID);
  expect(owners.resumeAttempt(URN, URN)).toBeUndefined();
  expect(owners.object(ID, marked("a")).owner()).toBeUndefined();
  owners.noteAttempt(URN, attempt);
  owners.noteAttempt(URN, undefined);
  expect(owners.resumeAttempt(URN, URN)).toBeUndefined();
});

it("an object that is to be replaced is so until it is deleted, whoever has it", () => {
  const owners = insights();
  owners.object(ID, marked("a")).claim(marked("a"));
  owners.object(ID, marked("a")).isToBeReplaced = true;
  expect(owners.object(ID, marked("a")).owner()).toBe("replaced");
  owners.object(ID, marked("b")).claim(marked("b"));
  expect(owners.object(ID, marked("a")).owner()).toBe("replaced");
  owners.recordDelete(ID, marked("a"), undefined);
  expect(owners.object(ID, marked("a")).owner()).toBeUndefined();
  expect(owners.object(ID, marked("b")).isOwnedByAnother(marked("b"))).toBe(false);
});

it("an object was deleted until a resource claims it again", () => {
  const owners = insights();
  expect(owners.object(ID, marked("a")).isDeleted).toBe(false);
  owners.object(ID, marked("a")).claim(marked("a"));
  expect(owners.object(ID, marked("a")).isDeleted).toBe(false);
  owners.recordDelete(ID, marked("a"), undefined);
  expect([owners.object(ID, marked("b")).isDeleted, owners.object("1002", marked("b")).isDeleted]).toEqual([
    true,
    false,
  ]);
  owners.object(ID, marked("b")).claim(marked("b"));
  expect(owners.object(ID, marked("b")).isDeleted).toBe(false);
});

it("a comparison says what replaces an object, also after the delete, and which natural key is compared", () => {
  const owners = insights();
  const [first, second] = [declaredAs({ name: "Visits" }), declaredAs({ name: "Leads" })];
  expect(owners.object(ID, marked("a")).replacement).toBeUndefined();
  owners.object(ID, marked("a")).replacement = first;
  owners.key(first).isCompared = true;
  owners.object(ID, marked("a")).replacement = second;
  owners.key(second).isCompared = true;
  expect(owners.object(ID, marked("b")).replacement).toBe(second);
  owners.recordDelete(ID, marked("a"), undefined);
  owners.object(ID, marked("b")).claim(marked("b"));
  expect(owners.object(ID, marked("a")).replacement).toBe(second);
  expect(
    [first, second, declaredAs(), declaredAs({ name: "Leads", projectId: 3 })].map(
      (one) => owners.key(one).isCompared === true,
    ),
  ).toEqual([true, true, false, false]);
});

it("a create takes the object of its natural key that was deleted, once", () => {
  const owners = insights();
  const before = live(["Signups", "other"]);
  owners.recordDelete(ID, marked("a"), before);
  expect(owners.take(declaredAs({ name: "other" }), "deleted")).toBeUndefined();
  expect(owners.take(declaredAs({ projectId: 3 }), "deleted")).toBeUndefined();
  expect(owners.take(declaredAs(), "deleted")).toBe(before);
  expect(owners.take(declaredAs(), "deleted")).toBeUndefined();
  expect(owners.object(ID, marked("a")).isDeleted).toBe(true);
});

it("a delete of an object that was gone, or that has no natural key, leaves the one before it", () => {
  const owners = insights();
  const before = live(["Signups"]);
  owners.recordDelete(ID, marked("a"), before);
  owners.recordDelete("1002", marked("a"), undefined);
  owners.recordDelete("1003", marked("a"), live([], "1003"));
  expect(["1002", "1003"].map((id) => owners.object(id, marked("a")).isDeleted)).toEqual([true, true]);
  expect(owners.take(declaredAs({ name: "" }), "deleted")).toBeUndefined();
  const later = live(["Signups"], "1004");
  owners.recordDelete("1004", marked("a"), later);
  expect(owners.take(declaredAs(), "deleted")).toBe(later);
});

it("a create takes the object that was made for it before, once; the one that it replaces is deleted", () => {
  const owners = insights();
  const next = declaredAs();
  owners.object(ID, marked("a")).claim(marked("a"));
  owners.object(ID, marked("a")).isToBeReplaced = true;
  owners.object(ID, marked("a")).replacement = next;
  owners.key(next).isCompared = true;
  owners.recordDelete(ID, marked("a"), undefined);
  owners.key(next).createdId = "1002";
  expect(owners.object(ID, marked("a")).owner()).toBeUndefined();
  expect(owners.object(ID, marked("a")).isDeleted).toBe(true);
  expect(owners.take(next, "deleted")).toBeUndefined();
  expect(owners.take(declaredAs({ projectId: 3 }), "createdId")).toBeUndefined();
  expect(owners.take(next, "createdId")).toBe("1002");
  expect(owners.take(next, "createdId")).toBeUndefined();
  expect(owners.key(next).isCompared === true).toBe(true);
});
