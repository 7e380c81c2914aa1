import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseText } from "../../../../src/api/json/parse.ts";
import { exactJson } from "../../../../src/model/json/exact-json.ts";
import { ExactNumber, type Json } from "../../../../src/model/json/json.ts";
import { budget } from "../../../support/budget.ts";

const read = (text: string): Json | undefined => {
  const parsed = parseText(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.value;
};

describe("a number of a body", () => {
  it.each([
    "9007199254740993",
    "-9007199254740993",
    "123456789012345678901",
    "1e400",
    "-1E+400",
    "1e-400",
    "0.1234567890123456789",
    "1.0000000000000000001",
  ])("%s keeps its digits", (text) => {
    expect(read(` [${text} ,"${text}"]`)).toEqual([new ExactNumber(text), text]);
    expect(exactJson(read(`{"a":{"b":[${text}]}}`) ?? null)).toBe(`{"a":{"b":[${text}]}}`);
    // Output, saved files and hashes contain it as a text.
    expect(JSON.stringify(read(`{"a":${text}}`))).toBe(`{"a":"${text}"}`);
  });

  it.each([
    "0",
    "-0",
    "7",
    "9007199254740991",
    "9007199254740992",
    "0.1",
    "1e21",
    "1E5",
    "1.7976931348623157e308",
    "5e-324",
    "100000000000000000000",
    "1700000000000.123",
  ])("%s becomes a plain number", (text) => {
    expect(read(text)).toBe(JSON.parse(text));
    expect(read(`{"a":[${text}]}`)).toEqual(JSON.parse(`{"a":[${text}]}`));
  });

  it.each([
    "1e",
    "01",
    "1.",
    "--1",
    "1e400x",
    "0123456789012345678",
    "+9007199254740993",
    "9007199254740993e",
    "[9007199254740993",
    "9007199254740993 9007199254740993",
  ])("%s is not a number", (text) => {
    expect(parseText(text)).toEqual({ problem: "invalid_json" });
  });

  it.each(["NaN", "[NaN]", '{"a":-Infinity}', '{"a": Infinity, "b": 1}'])("%s is reported as not_a_number", (text) => {
    expect(parseText(`[${text}]`)).toEqual({ problem: "not_a_number" });
  });

  it("that JavaScript can hold is parsed as by JSON.parse, and written unchanged", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(read(text)).toEqual(JSON.parse(text));
        expect(exactJson(read(text) ?? null)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: budget(500) },
    );
  });

  it("is unchanged after parsing and writing, for any digits", () => {
    const integers = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String);
    fc.assert(
      fc.property(fc.array(integers, { maxLength: 4 }), (numbers) => {
        const sent = exactJson(read(`[${numbers.join(",")}]`) ?? null);
        expect(
          sent
            .slice(1, -1)
            .split(",")
            .filter((text) => text !== "")
            .map((text) => BigInt(exact(text))),
        ).toEqual(numbers.map(BigInt));
      }),
      { numRuns: budget(500) },
    );
  });

  it("of very many digits is parsed in linear time", () => {
    const before = performance.now();
    const digits = `1${"0".repeat(2_000_000)}1`;
    expect(read(digits)).toEqual(new ExactNumber(digits));
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});

/** 1e+21 as digits. */
function exact(text: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e\+?(\d+))?$/.exec(text) ?? [];
  return sign + whole + fraction.padEnd(Number(power), "0");
}
