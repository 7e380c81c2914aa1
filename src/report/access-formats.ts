import { ACCESS_COLUMNS, type AccessDocument } from "../model/access.ts";
import { hintJson } from "../model/document-json.ts";
import { csvText } from "./csv.ts";
import { safeJson } from "./escape.ts";
import { accessCells } from "./access.ts";
import { accessHtml } from "./html/access.ts";
import type { RenderOptions } from "./options.ts";
import { accessText } from "./text/access.ts";

export type AccessFormat = "text" | "csv" | "json" | "html";

/** Who has access, in one of four forms. */
export function renderAccess(
  document: AccessDocument,
  format: AccessFormat,
  view: Pick<RenderOptions, "color" | "width">,
): string {
  const { people, since, diagnostics } = document;
  switch (format) {
    case "text":
      return accessText(document, view);
    case "html":
      return accessHtml(document);
    case "json":
      return safeJson({ ...document, diagnostics: diagnostics.map((one) => hintJson(one)) });
    case "csv":
      return csvText([
        [...ACCESS_COLUMNS.map(({ field }) => field), ...(since === null ? [] : ["changed"])],
        ...people.map((one) => accessCells(one)),
      ]);
  }
}
