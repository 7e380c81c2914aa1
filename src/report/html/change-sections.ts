import type { Outcome } from "../../model/outcome.ts";
import type { ShownChange } from "../../model/plan.ts";
import type { ReportType } from "../marks.ts";
import type { RenderOptions } from "../options.ts";
import type { View } from "../view.ts";
import { boxMarkup, changeDetails } from "./change-details.ts";
import { controls } from "./controls.ts";
import { markup, type Markup, sentence } from "./markup.ts";

/** The changes of larger sections are collapsed. */
const MAX_OPEN = 10;

interface ChangesOptions extends Pick<RenderOptions, "accepts"> {
  readonly type: ReportType;
  /** The headings of the sections. Those that need most care come first. */
  readonly titles: readonly string[];
  /** The section of a change, as an index of the titles. */
  readonly sectionOf: (change: ShownChange | Outcome) => number;
  /** What is said if there is no change. */
  readonly empty: string;
}

/** All changes in their sections, with the filters above them. */
export function changesSection(
  { groups, shared, notes = [] }: Pick<View, "groups" | "shared"> & Partial<Pick<View, "notes">>,
  { type, titles, sectionOf, empty, accepts }: ChangesOptions,
): Markup {
  let number = 0;
  const sections = titles.flatMap((title, section) => {
    const own = groups.filter((group) => sectionOf(group.changes[0]) === section);
    if (own.length === 0) return [];
    const isOpen = own.length <= MAX_OPEN;
    const count = own.reduce((sum, group) => sum + group.changes.length, 0);
    const entries = own.map((group) => changeDetails(group, { number: ++number, isOpen }, { type, accepts }));
    return [{ title, count, entries }];
  });
  const parts = sections.map(
    ({ title, count, entries }, index) =>
      markup`<section class="group" aria-labelledby="group-${index}"><h3 id="group-${index}">${title} <span class="total">${count}</span></h3>
${(index === 0 ? shared : []).map((box) => markup`${boxMarkup(box)}\n`)}${entries}</section>
`,
  );
  // The words of the filters stand in the order of the sections.
  const inOrder = groups.flatMap(({ changes }) => changes).toSorted((a, b) => sectionOf(a) - sectionOf(b));
  const content = groups.length === 0 ? markup`<p>${empty}</p>` : markup`${controls(inOrder, type)}${parts}`;
  const below = notes.map((note) => markup`<p class="note">${sentence(note)}</p>\n`);
  return markup`<section aria-labelledby="changes"><h2 id="changes" tabindex="-1">Changes</h2>
${content}${below}</section>
`;
}
