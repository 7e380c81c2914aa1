import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/model/json/json.ts";
import type { ShownChange } from "../../../src/model/plan.ts";
import { redacted } from "../../../src/engine/redact.ts";
import { createRedactor } from "../../../src/api/redact/redact.ts";
import { renderDiagnostics, renderOutcomes, renderPlan, type Format } from "../../../src/report/index.ts";
import { groupChanges } from "../../../src/report/grouping.ts";
import { rightsLines } from "../../../src/report/person.ts";
import { change, outcome, outcomes, plan } from "./documents.ts";

describe("the rights of people, before the question of an apply", () => {
  const LEVEL = "/level";

  it.each<[action: ShownChange["action"], prior: Json, planned: Json, said: readonly string[]]>([
    ["create", null, 1, []],
    ["create", null, 8, ["Gets a high level: ada@acme.com (as ADMIN)."]],
    ["update", 1, 8, ["Gets a high level: ada@acme.com (member -> ADMIN)."]],
    ["update", 8, 15, ["Gets a high level: ada@acme.com (ADMIN -> OWNER)."]],
    ["replace", 1, 15, ["Gets a high level: ada@acme.com (member -> OWNER)."]],
    ["update", 15, 8, ["Loses rights: ada@acme.com (OWNER -> ADMIN)."]],
    ["update", 15, 1, ["Loses rights: ada@acme.com (OWNER -> member)."]],
    ["replace", 8, 1, ["Loses rights: ada@acme.com (ADMIN -> member)."]],
    ["delete", 8, null, ["Loses access: ada@acme.com (invited as ADMIN)."]],
  ])("%s from %j to %j", (action, prior, planned, said) => {
    const isRemoved = action === "delete";
    const fields = isRemoved ? [] : [{ path: LEVEL, prior, planned }];
    const removes = [{ path: LEVEL, value: prior }];
    const person = change({ kind: "member", address: "acme/members/ada@acme.com", action, fields, removes });
    expect(rightsLines([person])).toEqual(said);
  });
});

describe("people with high rights among many others", () => {
  const person = (name: string, action: ShownChange["action"], prior: Json, planned: Json): ShownChange =>
    change({
      kind: "membership",
      address: `acme/memberships/${name}@acme.com`,
      action,
      fields: action === "delete" ? [] : [{ path: "/level", prior, planned }],
      ...(action === "delete" ? { removes: [{ path: "/level", value: prior }] } : {}),
    });
  const high = [
    person("p-given", "update", 1, 15),
    person("q-lost", "update", 15, 1),
    person("r-removed", "delete", 15, null),
    person("s-invited", "create", null, 8),
    person("t-admin", "update", 8, 1),
    person("u-admin", "delete", 8, null),
  ];
  const plain = Array.from({ length: 500 }, (_, index) => {
    const description = `${String(index)} ${"x".repeat(200)}`;
    const fields = [{ path: "/description", prior: 1, planned: description }];
    return change({ kind: "invite", address: `acme/invites/${String(index)}`, action: "replace", fields });
  });
  const changes = [...plain, ...high.toReversed(), ...["a", "b", "c"].map((name) => person(name, "delete", 1, null))];

  it("stand first, the highest above all, and alone", () => {
    const groups = groupChanges(changes, { type: "driftline.plan" });
    const first = groups.slice(0, high.length).map((group) => group.map(({ address }) => address[17]).join(""));
    expect(first).toEqual(["r", "q", "p", "u", "t", "s"]);
  });

  it.each<Format>(["text", "markdown", "html"])("are the first that are read in %s", (format) => {
    const text = renderPlan(redacted(plan(changes), createRedactor()), format, { color: false });
    const places = ["r-removed", "q-lost", "p-given", "u-admin", "t-admin", "s-invited", "invites"].map((name) =>
      text.indexOf(name),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(-1);
  });
});

describe("more people than a comment has room for", () => {
  const people = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `p${String(index)}@acme.com${index === 0 ? " (owner)" : ""}`);
  const detail = `200 people: ${people(200).join(", ")}`;
  const message = `enforce_2fa will keep out ${people(199).join(", ")}`;
  const diagnostics = [{ severity: "warning", code: "people_without_2fa", message }] as const;
  const lift = `one of ${people(198).join(", ")}: write it down`;
  const blocked = { rule: "lock_out", detail, lift } as const;
  const refused = change({ action: "update", fields: [{ path: "/a", prior: 1, planned: people(197).join(", ") }] });
  const lifted = outcome({ ...refused, reason: `allowed: it would lock people out (${detail})` });
  const documents = {
    plan: (format: Format, verbose: boolean) =>
      renderPlan(redacted(plan([{ ...refused, blocked }], { diagnostics }), createRedactor()), format, {
        color: false,
        verbose,
      }),
    record: (format: Format, verbose: boolean) =>
      renderOutcomes(redacted(outcomes([lifted], { diagnostics }), createRedactor()), format, {
        color: false,
        verbose,
      }),
  };

  it.each<[keyof typeof documents, Format, verbose: boolean, hasAll: boolean]>([
    ["plan", "json", false, true],
    ["plan", "html", false, true],
    ["plan", "text", true, true],
    ["plan", "text", false, false],
    ["plan", "markdown", false, false],
    ["record", "json", false, true],
    ["record", "html", false, true],
    ["record", "text", false, false],
    ["record", "markdown", false, false],
  ])("a %s in %s, verbose: %s, names all: %s", (document, format, verbose, hasAll) => {
    const text = documents[document](format, verbose);
    expect(text.includes("p199")).toBe(hasAll);
    // A value is not a sentence.
    expect(text).toMatch(/p195[^]*p196/u);
    if (!hasAll) expect(text).toMatch(/p7&?.{0,5}acme.com\s+and\s+192\s+more/u);
  });

  it.each([true, false])("warnings on a terminal, verbose: %s", (verbose) => {
    const text = renderDiagnostics(redacted(diagnostics, createRedactor()), { color: false, verbose });
    expect(text.includes("p198")).toBe(verbose);
    expect(text.includes("p7@acme.com and 191 more (--verbose lists them)")).toBe(!verbose);
  });
});
