/** `lifecycle.partial` of a list without order: the declared elements are there, and all others stay. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { patchBody } from "../../../src/diff/body.ts";
import { compare } from "../../../src/diff/compare.ts";
import { replacementOf } from "../../../src/diff/replacement.ts";
import { normalizedItems, policiesAt } from "../../../src/diff/equal.ts";
import { kinds } from "../../../src/kinds/registry.ts";
import type { Json } from "../../../src/model/json/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import { budget } from "../../support/budget.ts";

const SETS: readonly (readonly [kind: KindName, field: string, item: fc.Arbitrary<Json>])[] = [
  ["insight", "tags", fc.constantFrom("a", "A", " b", "b", "c", "d e")],
  ["insight", "dashboards", fc.nat(6)],
  ["identity_provider_config", "organization_domain_ids", fc.constantFrom("x", "y", "z")],
  ["identity_provider_config", "id_jag_allowed_clients", fc.constantFrom("x", "y", "z")],
  ["invite", "private_project_access", fc.record({ id: fc.nat(4), level: fc.constantFrom("member", "admin") })],
];

it.each(SETS)("%s.%s has the declared elements after one write, and loses none of others", (name, field, item) => {
  const kind = kinds[name];
  const options = { partial: [field] };
  const forms = (items: readonly Json[]) => normalizedItems(items, policiesAt(kind, [field]));
  const identities = (items: readonly Json[]) =>
    new Set(
      [...forms(items)].map((form) =>
        field === "private_project_access" ? String((JSON.parse(form) as { id: number }).id) : form,
      ),
    );
  const list = fc.uniqueArray(item, {
    selector: (one) => (typeof one === "object" ? JSON.stringify((one as { id: number }).id) : one),
    maxLength: 5,
  });
  const check = fc.property(list, list, (declared, live) => {
    const values = { [field]: declared };
    const before = { [field]: live };
    const isThere = [...forms(declared)].every((form) => forms(live).has(form));
    const differences = compare(kind, values, before, options);
    expect(differences.length === 0).toBe(isThere);
    const sent = isThere ? before : patchBody(kind, { values, lifecycle: options }, before, differences);
    const after = sent as Readonly<Record<string, readonly Json[]>>;
    expect(compare(kind, values, after, options)).toEqual([]);
    expect(identities(after[field] ?? [])).toEqual(new Set([...identities(declared), ...identities(live)]));
    if (!isThere) expect(differences[0]?.planned).toEqual(after[field]);
    expect(replacementOf(kind, values, before, options).values[field]).toEqual(
      after[field] === live ? expect.anything() : after[field],
    );
    // Without `partial`, the list is what is declared.
    expect(compare(kind, values, before).length === 0).toBe(isThere && forms(live).size === forms(declared).size);
  });
  fc.assert(check, { numRuns: budget(500) });
});
