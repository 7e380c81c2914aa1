import { expect, it } from "vitest";
import { quoted, visible } from "../../../../src/model/text/quote.ts";

it.each([
  ["run `driftline apply` first", String.raw`"run \u0060driftline apply\u0060 first"`],
  ["two\nlines\r\u2028", String.raw`"two\nlines\r\u2028"`],
  ["\u001b[31mred\u0000\u009b", String.raw`"\u001b[31mred\u0000\u009b"`],
  ["left\u202eright\u200b\u{e0041}", String.raw`"left\u202eright\u200b\u{e0041}"`],
  ['a "name" \\ it', String.raw`"a \"name\" \\ it"`],
  ["Grüße 👩‍💻", '"Grüße 👩‍💻"'],
])("quotes %j", (text, expected) => {
  expect(quoted(text)).toBe(expected);
});

it("shows a text of one line without quotes", () => {
  expect(visible("12, `x`\n13")).toBe(String.raw`12, \u0060x\u0060\n13`);
});
