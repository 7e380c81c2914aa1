import { describe, expect, it } from "vitest";
import { missingSecrets, resolveSecret } from "../../../../src/config/index.ts";
import { Secret } from "../../../../src/model/json/json.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { load, loadGood } from "../helpers.ts";

const TEXT = `driftline: 1
variables: { cert: "\${secret:CERT}" }
organizations:
  acme:
    name: Acme
    domains:
      a: { domain: a.com, saml_x509_cert: "\${var:cert}" }
      b: { domain: b.com, saml_acs_url: "https://\${secret:USER}:\${secret:PASS}@\${secret:USER}" }
`;

describe("resolveSecret", () => {
  it("substitutes the values", () => {
    const env = { A: "one", B: "${secret:A}" };
    expect(resolveSecret(new Secret("<${secret:A}|${secret:B}|$${secret:A}>"), env)).toBe(
      "<one|${secret:A}|${secret:A}>",
    );
  });

  it.each([
    ["is not set", {}],
    ["is empty", { PASS: "" }],
  ])("throws an error with the name of a variable that %s, and without any value", (_, env) => {
    const error = (): string => resolveSecret(new Secret("${secret:USER}${secret:PASS}"), { USER: "hunter2", ...env });
    expect(error).toThrow("PASS");
    expect(error).not.toThrow("hunter2");
    expect(error).toThrowErrorMatchingSnapshot();
  });
});

describe("a name that is a property of every object", () => {
  it("is not an environment variable", () => {
    expect(() => resolveSecret(new Secret("${secret:toString}"), {})).toThrow(/\btoString\b/);
  });
});

describe("loadConfig", () => {
  it("lists every use of a secret, and does not need its value", async () => {
    const loaded = await loadGood(TEXT);
    expect(loaded.secrets).toEqual([
      {
        address: "acme/domains/a",
        expression: "${secret:CERT}",
        names: ["CERT"],
        position: { file: "driftline.yaml", line: 7, column: 43 },
      },
      {
        address: "acme/domains/b",
        expression: "https://${secret:USER}:${secret:PASS}@${secret:USER}",
        names: ["USER", "PASS"],
        position: { file: "driftline.yaml", line: 8, column: 41 },
      },
    ]);
  });

  it("never stores the value of a secret", async () => {
    const env = { CERT: "hunter2", USER: "hunter3", PASS: "hunter4" };
    const loaded = await load(TEXT.replace("domain: b.com", "domain: 5"), { env });
    expect(JSON.stringify(loaded)).not.toMatch(/hunter/);
  });
});

describe("missingSecrets", () => {
  it("returns an error with a position for each variable that is missing or empty", async () => {
    const loaded = await loadGood(TEXT);
    const missing = missingSecrets(loaded, { CERT: "", USER: "u" });
    expect(missing).toEqual([
      {
        severity: "error",
        code: "missing_secret",
        message: expect.stringContaining("CERT") as string,
        hint: expect.stringContaining("CERT") as string,
        address: "acme/domains/a",
        file: "driftline.yaml",
        line: 7,
        column: 43,
      },
      expect.objectContaining({
        code: "missing_secret",
        address: "acme/domains/b",
        hint: expect.stringContaining("PASS") as string,
      }),
    ]);
    expect(sentencesOf(missing)).toMatchSnapshot();
  });

  it("returns no error if all variables are set", async () => {
    const loaded = await loadGood(TEXT);
    expect(missingSecrets(loaded, { CERT: "c", USER: "u", PASS: "p" })).toEqual([]);
  });
});
