import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CANARIES, canaryForms, leaksBelow, leaksIn } from "../../support/canary.ts";

const namesOf = (leaks: readonly string[]): readonly string[] => leaks.map((leak) => leak.replace(/ as .*/s, ""));

describe.each(Object.entries(CANARIES))("the canary %s", (name, secret) => {
  it.each([...canaryForms(secret)])("is found as %s", (_form, text) => {
    expect(namesOf(leaksIn(`before ${text} after`, CANARIES))).toEqual([name]);
  });

  it("is found in base64 of a longer text, wherever it begins", () => {
    for (const before of ["", "a", "ab", "abc"]) {
      const text = Buffer.from(`${before}${secret}z`).toString("base64");
      expect(namesOf(leaksIn(text, CANARIES))).toEqual([name]);
    }
  });

  it("is found behind entities, and in a file", async () => {
    const entities = [...secret].map((sign) => `&#${String(sign.codePointAt(0))};`).join("");
    expect(namesOf(leaksIn(entities, CANARIES))).toEqual([name]);
    const folder = await mkdtemp(join(tmpdir(), "driftline-canary-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "note.txt"), `\u00fc ${secret}`);
    expect((await leaksBelow(folder, CANARIES))[0]).toContain(`note.txt: ${name} as plain`);
  });

  it("is not found where it is not", () => {
    expect(leaksIn("[redacted] canary (sensitive) -----BEGIN RSA PRIVATE KEY-----", CANARIES)).toEqual([]);
  });
});

it("a canary is found by a piece of it, in a text that was cut", () => {
  expect(leaksIn(`${CANARIES.plain.slice(0, 12)}…`, CANARIES)).toHaveLength(1);
});
