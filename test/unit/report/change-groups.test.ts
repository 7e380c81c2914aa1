/** What the line of a group says of the texts of its members. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ShownChange } from "../../../src/model/plan.ts";
import { groupsOf } from "../../../src/report/change-groups.ts";
import type { ShortField } from "../../../src/report/diff/entries.ts";
import { budget } from "../../support/budget.ts";
import { change, outcome } from "./documents.ts";

/** Before and after. */
type Edit = readonly [string, string];

function updated(edits: Readonly<Record<string, Edit>>, index: number): ShownChange {
  const fields = Object.entries(edits).map(([path, [prior, planned]]) => ({ path: `/${path}`, prior, planned }));
  return change({ address: `acme/projects/web/insights/i${String(index)}`, kind: "insight", action: "update", fields });
}

const read = (text = ""): string => (text.startsWith('"') ? String(JSON.parse(text)) : text);

/** The planned text of a member, as the line says it. */
function plannedBy(short: ShortField, path: string, prior: string): string {
  if (short.type === "pair") return read(short.planned);
  if (short.type === "value") throw new Error("a value of one side");
  const [removed, added] = [read(short.removed[0]), read(short.added[0])];
  return path.endsWith("end")
    ? prior.slice(0, prior.length - removed.length) + added
    : added + prior.slice(removed.length);
}

function linesOf(
  changes: readonly ShownChange[],
): readonly { readonly path: string; readonly short: ShortField | undefined; readonly texts: readonly Edit[] }[] {
  return groupsOf(changes, { type: "driftline.plan" }).groups.flatMap(({ changes: members, fields: rows }) =>
    rows.map(({ path, short }) => ({
      path,
      short,
      texts: members.flatMap(({ fields }) =>
        fields
          .filter((one) => path.startsWith(one.path.slice(1)))
          .map(({ prior, planned }) => [String(prior), String(planned)] as const),
      ),
    })),
  );
}

test("a sign that is the same everywhere stands before its number, whatever the other fields do", () => {
  const changes = ["Signups", "Sales", "Visits"].map((name, index) =>
    updated({ name: [`KPI ${name}`, `Key figure ${name}`], date_from: ["-30d", "-90d"] }, index),
  );
  expect(linesOf(changes).map(({ path, short }) => ({ path, short }))).toEqual([
    { path: "name, at the start", short: { type: "set", removed: ["KPI"], added: ["Key figure"] } },
    { path: "date_from", short: { type: "pair", prior: '"-30d"', planned: '"-90d"' } },
  ]);
});

test("a line gives the planned text of each member, and texts that are the same everywhere are whole", () => {
  const word = fc.stringMatching(/^[ab.-]{1,4}$/u);
  const edit = fc.record({ kept: word, removed: word, added: word, isVaried: fc.boolean(), isAtEnd: fc.boolean() });
  fc.assert(
    fc.property(edit, edit, fc.constantFrom(3, 12), (one, other, count) => {
      fc.pre(one.removed !== one.added && other.removed !== other.added);
      const textsAt = ({ kept, removed, added, isVaried, isAtEnd }: typeof one, index: number): Edit => {
        const own = isVaried ? `${kept} ${String(index)} ${kept}` : kept;
        return isAtEnd ? [`${own} ${removed}`, `${own} ${added}`] : [`${removed} ${own}`, `${added} ${own}`];
      };
      const changes = Array.from({ length: count }, (_, index) =>
        updated({ name: textsAt(one, index), note: textsAt(other, index) }, index),
      );
      for (const { path, short, texts } of linesOf(changes)) {
        if (short === undefined) continue;
        const [first] = texts;
        const isSame = texts.every((text) => String(text) === String(first));
        if (isSame) expect(short).toMatchObject({ type: "pair", prior: JSON.stringify(first?.[0]) });
        for (const [prior, planned] of texts) expect(plannedBy(short, path, prior)).toBe(planned);
      }
    }),
    { numRuns: budget(2000) },
  );
});

test("what failed alike shows the fields of each, also if one has more of them", () => {
  const edits = { name: ["a", "b"], date_from: ["-30d", "-90d"] } as const;
  const changes = [{ name: edits.name }, { name: edits.name }, edits].map((one, index) => ({
    ...outcome({ status: "failed", error: { code: "invalid_input", message: "PATCH /api/ answered 400" } }),
    ...updated(one, index),
  }));
  const [group, ...others] = groupsOf(changes, { type: "driftline.outcomes" }).groups;
  expect(others).toEqual([]);
  expect(group?.fields.map(({ path }) => path).filter((path) => path.includes("date_from"))).toHaveLength(1);
});
