/** A field that driftline has no name for, and that the service does not show of the object, may be planned for ever. */
import { expect, it } from "vitest";
import type { JsonObject, ValueObject } from "../../../src/model/json/json.ts";
import { dataOf, sentencesOf } from "../../support/sentences.ts";
import { declare, live, plan } from "./world.ts";

const DOMAIN = { id: "d1", domain: "acme.com", sso_enforcement: "" };

function codesOf(row: JsonObject, values: ValueObject): readonly string[] {
  const made = plan(
    [declare("acme/domains/x", { domain: "acme.com", ...values })],
    live({ "domains.list": [{ ...DOMAIN, ...row }] }),
  );
  return made.diagnostics.map(({ code }) => code);
}

it.each<[string, JsonObject, ValueObject, readonly string[]]>([
  ["is a warning", {}, { later: 5 }, ["field_not_shown"]],
  ["is one warning, however much of it differs", {}, { later: { a: 1, b: 2 } }, ["field_not_shown"]],
  ["is none if the service shows it as null", { later: null }, { later: 5 }, []],
  ["is none if the service shows another value", { later: { a: 1 } }, { later: { a: 2 } }, []],
  ["is none beside an update of another field", { later: 5 }, { later: 5, sso_enforcement: "saml" }, []],
  ["is none for a field that driftline knows", {}, { jit_provisioning_enabled: true }, []],
  ["is none for a secret, which no service shows", {}, { hook_token: "hush-0123456789" }, []],
])("a field that is not shown %s", (_name, row, values, codes) => {
  expect(codesOf(row, values)).toEqual(codes);
});

it("names the field where it is declared", () => {
  const position = { file: "a.yaml", line: 3, column: 5 };
  const declared = declare("acme/domains/x", { domain: "acme.com", later: 5 }, { position });
  const { diagnostics } = plan([declared], live({ "domains.list": [DOMAIN] }));
  expect(dataOf(diagnostics)).toEqual([
    { severity: "warning", code: "field_not_shown", address: declared.address, ...position },
  ]);
  expect(sentencesOf(diagnostics)).toMatchSnapshot("sentences");
});

it("is no warning for a replacement, which is a new object", () => {
  const row = { id: "e", name: "E", interval: "hour", destination: { type: "NoOp", config: {} } };
  const destination = { type: "HTTP", config: { url: "https://acme.com" } };
  const made = plan(
    [declare("acme/batch_exports/e", { name: "E", destination, later: 5 })],
    live({ "batch_exports.list": [{ ...row, schema: null }] }),
  );
  expect(made.changes).toMatchObject([{ action: "replace", work: { body: { later: 5 } } }]);
  expect(made.diagnostics).toEqual([]);
});

it("is no warning for a new object", () => {
  const made = plan([declare("acme/domains/y", { domain: "b.com", later: 5 })], live({ "domains.list": [DOMAIN] }));
  expect(made.diagnostics).toEqual([]);
});
