/** The numbers of an effect as tables: the totals, which name the lines of the chart, and all points. */
import type { CalculatedEffect } from "../../../model/effect.ts";
import { type Aligned } from "../../effect/align.ts";
import { exactNumber, shareText } from "../../effect/numbers.ts";
import { NO_NUMBER, type SeriesRow, shortTime, type Total } from "../../effect/words.ts";
import { flow } from "../../escape.ts";
import { markup, type Markup } from "../markup.ts";
import { tableOf } from "../table.ts";
import { wholeOf } from "./bars.ts";
import { seriesClass } from "./lines.ts";

/** The most cells of a table of points. More would make the file slow. */
const MAX_CELLS = 20_000;

/** The totals of each series. Its head shows how the sides are drawn, and each row the colour and the number of its series. */
export function totalsTable(rows: readonly SeriesRow[]): Markup {
  const hasChange = rows.some(({ change }) => change !== "");
  const head = [
    ...(rows[0]?.totals ?? []).map(({ side, name }) => markup`<th scope="col">${swatch(`key ${side}`)} ${name}</th>`),
    ...(hasChange ? [markup`<th scope="col">change</th>`] : []),
  ];
  const body = rows.map(({ label, totals, change }, index) => {
    const number = rows.length > 1 ? markup`${index + 1} ` : "";
    const cells = [...totals.map(totalCell), ...(hasChange ? [markup`<td>${change}</td>`] : [])];
    return markup`<tr><th scope="row">${swatch(`${seriesClass(index)} after`)} ${number}<span class="title">${label}</span></th>${cells}</tr>`;
  });
  return markup`<div class="scroll" tabindex="0" role="group" aria-label="Totals"><table class="totals"><thead><tr><th scope="col">series</th>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function totalCell({ value, text }: Total): Markup {
  return value === null ? markup`<td>${text}</td>` : markup`<td><data value="${value}">${text}</data></td>`;
}

/** A piece of a line, as in the chart. */
function swatch(classes: string): Markup {
  return markup`<svg class="swatch" viewBox="0 0 20 8" aria-hidden="true"><path class="${classes}" d="M1,4h18"/></svg>`;
}

/** All points, folded. Empty if there are none. */
export function pointsTable(
  { axis, rows }: Aligned,
  { series, shape }: Pick<CalculatedEffect, "series" | "shape">,
  { names, labels }: { readonly names: readonly [string, string]; readonly labels: readonly string[] },
): Markup {
  if (rows.length === 0) return markup``;
  const lines = series.flatMap(({ before, after }, index) =>
    [before, after].flatMap((side, place) => (side === null || side.points.length === 0 ? [] : [index * 2 + place])),
  );
  const most = Math.max(1, Math.floor(MAX_CELLS / lines.length));
  const head = lines.map((line) => {
    const name = names[line % 2] ?? "";
    return series.length === 1 ? name : `${labels[Math.floor(line / 2)] ?? ""}, ${name}`;
  });
  const body = rows.slice(0, most).map(({ at, values }) => {
    const cells = lines.map((line) => {
      const [value, whole] = [values[line], shape === "steps" ? wholeOf(rows, line) : undefined];
      return markup`<td>${value === undefined ? "" : exactText(value, whole)}</td>`;
    });
    return markup`<tr><th scope="row">${axis === "time" ? shortTime(at) : flow(at)}</th>${cells}</tr>`;
  });
  const note =
    rows.length <= most
      ? ""
      : markup`<p class="note">The table has the first ${exactNumber(most)} of ${exactNumber(rows.length)} rows. The json format has all of them.</p>`;
  const other = shape === "steps" ? "step" : "row";
  return markup`<details class="points"><summary>All numbers</summary><div class="body">${tableOf([axis === "time" ? "time" : other, ...head], body)}${note}</div></details>`;
}

function exactText(value: number | null, whole: number | undefined): string {
  if (value === null) return NO_NUMBER;
  return `${exactNumber(value)}${whole === undefined || whole <= 0 ? "" : ` (${shareText(value, whole)})`}`;
}
