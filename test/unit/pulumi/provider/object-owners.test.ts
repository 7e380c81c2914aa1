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
  expect(owners.ownerOf(ID, marked("a"))).toBeUndefined();
  expect(owners.isOwnedByAnother(ID, marked("a"))).toBe(false);
  owners.claim(ID, marked("a"));
  expect(owners.ownerOf(ID, marked("a"))).toBe("another");
  expect(owners.isOwnedByAnother(ID, marked("a"))).toBe(false);
  expect(owners.isOwnedByAnother(ID, marked("b"))).toBe(true);
  owners.claim(ID, marked("b"));
  owners.claim(ID, marked("b"));
  expect(["a", "b"].map((mark) => owners.isOwnedByAnother(ID, marked(mark)))).toEqual([true, true]);
  expect(owners.ownerOf("1002", marked("a"))).toBeUndefined();
});

it("a resource without a mark owns its object, and is deleted as usual", () => {
  const owners = insights();
  const unmarked = { projectId: 2, name: "Signups" };
  owners.claim(ID, marked("a"));
  expect(owners.isOwnedByAnother(ID, unmarked)).toBe(false);
  owners.claim("1002", unmarked);
  expect(owners.ownerOf("1002", unmarked)).toBe("another");
  expect(owners.isOwnedByAnother("1002", marked("a"))).toBe(true);
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
  owners.claim(id, { ...props, [MARK]: "a" });
  expect(owners.isOwnedByAnother(otherId, { ...otherProps, [MARK]: "b" })).toBe(isSame);
});

it("a resource that adopts an object is remembered with it, also after the object is deleted", () => {
  const owners = insights();
  owners.claim(ID, marked("a"));
  expect(owners.isAdoptedBy(ID, marked("a"), URN)).toBe(false);
  expect(owners.isAdoptedBy(ID, marked("a"), "")).toBe(false);
  owners.claim(ID, marked("b"), URN);
  expect(owners.isAdoptedBy(ID, marked("a"), URN)).toBe(true);
  expect(owners.isAdoptedBy(ID, marked("a"), `${URN}2`)).toBe(false);
  expect(owners.isAdoptedBy("1002", marked("a"), URN)).toBe(false);
  owners.recordDelete(ID, marked("a"), undefined);
  expect(owners.isAdoptedBy(ID, marked("a"), URN)).toBe(true);
});

it("a create that failed gives back what it has claimed, once, and the claims of others stay", () => {
  const owners = insights();
  owners.claim(ID, marked("old"));
  owners.claim(ID, marked("new"), URN);
  owners.noteAttempt(URN, { id: ID, props: marked("new"), isMade: false });
  expect(owners.isOwnedByAnother(ID, marked("old"))).toBe(true);
  expect(owners.resumeAttempt(URN, URN)).toBeUndefined();
  expect(owners.isOwnedByAnother(ID, marked("old"))).toBe(false);
  expect(owners.ownerOf(ID, marked("old"))).toBe("another");
  expect(owners.isAdoptedBy(ID, marked("new"), URN)).toBe(false);
  owners.claim(ID, marked("new"), URN);
  expect(owners.resumeAttempt(URN, URN)).toBeUndefined();
  expect(owners.isAdoptedBy(ID, marked("new"), URN)).toBe(true);
});

it("the object that a failed create has made is its own; one that has ended well is forgotten", () => {
  const owners = insights();
  const attempt = { id: ID, props: marked("a"), isMade: true };
  owners.noteAttempt(URN, { ...attempt, isMade: false });
  owners.noteAttempt(URN, attempt);
  expect(owners.resumeAttempt("another", URN)).toBeUndefined();
  expect(owners.resumeAttempt(URN, URN)).toBe(ID);
  expect(owners.resumeAttempt(URN, URN)).toBeUndefined();
  expect(owners.ownerOf(ID, marked("a"))).toBeUndefined();
  owners.noteAttempt(URN, attempt);
  owners.noteAttempt(URN, undefined);
  expect(owners.resumeAttempt(URN, URN)).toBeUndefined();
});

it("an object that is to be replaced is so until it is deleted, whoever has it", () => {
  const owners = insights();
  owners.claim(ID, marked("a"));
  owners.markToBeReplaced(ID, marked("a"));
  expect(owners.ownerOf(ID, marked("a"))).toBe("replaced");
  owners.claim(ID, marked("b"));
  expect(owners.ownerOf(ID, marked("a"))).toBe("replaced");
  owners.recordDelete(ID, marked("a"), undefined);
  expect(owners.ownerOf(ID, marked("a"))).toBeUndefined();
  expect(owners.isOwnedByAnother(ID, marked("b"))).toBe(false);
});

it("an object was deleted until a resource claims it again", () => {
  const owners = insights();
  expect(owners.wasDeleted(ID, marked("a"))).toBe(false);
  owners.claim(ID, marked("a"));
  expect(owners.wasDeleted(ID, marked("a"))).toBe(false);
  owners.recordDelete(ID, marked("a"), undefined);
  expect([owners.wasDeleted(ID, marked("b")), owners.wasDeleted("1002", marked("b"))]).toEqual([true, false]);
  owners.claim(ID, marked("b"));
  expect(owners.wasDeleted(ID, marked("b"))).toBe(false);
});

it("a comparison says what replaces an object, also after the delete, and which natural key is compared", () => {
  const owners = insights();
  const [first, second] = [declaredAs({ name: "Visits" }), declaredAs({ name: "Leads" })];
  expect(owners.replacementOf(ID, marked("a"))).toBeUndefined();
  owners.noteReplacement(ID, marked("a"), first);
  owners.noteReplacement(ID, marked("a"), second);
  expect(owners.replacementOf(ID, marked("b"))).toBe(second);
  owners.recordDelete(ID, marked("a"), undefined);
  owners.claim(ID, marked("b"));
  expect(owners.replacementOf(ID, marked("a"))).toBe(second);
  expect(
    [first, second, declaredAs(), declaredAs({ name: "Leads", projectId: 3 })].map((one) => owners.isReplacing(one)),
  ).toEqual([true, true, false, false]);
});

it("a create takes the object of its natural key that was deleted, once", () => {
  const owners = insights();
  const before = live(["Signups", "other"]);
  owners.recordDelete(ID, marked("a"), before);
  expect(owners.takeDeleted(declaredAs({ name: "other" }))).toBeUndefined();
  expect(owners.takeDeleted(declaredAs({ projectId: 3 }))).toBeUndefined();
  expect(owners.takeDeleted(declaredAs())).toBe(before);
  expect(owners.takeDeleted(declaredAs())).toBeUndefined();
  expect(owners.wasDeleted(ID, marked("a"))).toBe(true);
});

it("a delete of an object that was gone, or that has no natural key, leaves the one before it", () => {
  const owners = insights();
  const before = live(["Signups"]);
  owners.recordDelete(ID, marked("a"), before);
  owners.recordDelete("1002", marked("a"), undefined);
  owners.recordDelete("1003", marked("a"), live([], "1003"));
  expect(["1002", "1003"].map((id) => owners.wasDeleted(id, marked("a")))).toEqual([true, true]);
  expect(owners.takeDeleted(declaredAs({ name: "" }))).toBeUndefined();
  const later = live(["Signups"], "1004");
  owners.recordDelete("1004", marked("a"), later);
  expect(owners.takeDeleted(declaredAs())).toBe(later);
});

it("a create takes the object that was made for it before, once; the one that it replaces is deleted", () => {
  const owners = insights();
  const next = declaredAs();
  owners.claim(ID, marked("a"));
  owners.markToBeReplaced(ID, marked("a"));
  owners.noteReplacement(ID, marked("a"), next);
  owners.recordReplacement(ID, marked("a"), next, "1002");
  expect(owners.ownerOf(ID, marked("a"))).toBeUndefined();
  expect(owners.wasDeleted(ID, marked("a"))).toBe(true);
  expect(owners.takeDeleted(next)).toBeUndefined();
  expect(owners.takeReplacement(declaredAs({ projectId: 3 }))).toBeUndefined();
  expect(owners.takeReplacement(next)).toBe("1002");
  expect(owners.takeReplacement(next)).toBeUndefined();
  expect(owners.isReplacing(next)).toBe(true);
});
