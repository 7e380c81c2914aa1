import { expect, it } from "vitest";
import { slugOf } from "../../../src/export/names.ts";

it.each([
  ["Café", "cafe"],
  ["a/b: c", "a-b-c"],
  ["  ", "project"],
  ["***", "project"],
  ["2026", "project-2026"],
  ["Con", "project-con"],
  ["AUX", "project-aux"],
  ["com1", "project-com1"],
  ["lpt9", "project-lpt9"],
  ["Console", "console"],
  ["com10", "com10"],
  ["con 2", "con-2"],
  // cspell:disable
  ["가입 전환율", "가입-전환율"],
  ["ガイド (がいど)", "ガイド-がいど"],
  ["注册 2026", "注册-2026"],
  ["Отчёт", "отчёт"],
  ["साइन अप", "साइन-अप"],
  ["تسجيل", "تسجيل"],
  ["Ελλάδα", "ελλαδα"],
  ["ｆｕｌｌ", "full"],
  // cspell:enable
  ["🎉", "project"],
])("the name of %j is %s", (text, name) => {
  expect(slugOf(text, "project")).toBe(name);
});

it("is cut after a length that fits on a line, and does not end in a dash", () => {
  expect(slugOf(`${"a".repeat(59)} b`, "project")).toBe("a".repeat(59));
  expect(slugOf("𐐨".repeat(61), "project")).toBe("𐐨".repeat(60));
});
