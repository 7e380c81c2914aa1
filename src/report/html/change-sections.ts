import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { ShownChange } from "../../model/plan.ts";
import { warningsByAddress } from "../diagnostics.ts";
import type { ShownEffects } from "../effect/words.ts";
import type { RenderOptions } from "../options.ts";
import type { SharedBlock } from "../shared-blocks.ts";
import { groupChanges } from "../change-groups.ts";
import { startWork } from "../diff/text-diff.ts";
import { blockedBox, changeDetails } from "./change-details.ts";
import { controls } from "./controls.ts";
import { markup, type Markup } from "./markup.ts";
import type { ReportType } from "./rows.ts";

/** Changes under one heading. Those that need most care come first. */
export interface ChangeSection {
  readonly title: string;
  readonly changes: readonly (ShownChange | Outcome)[];
  /** Blocks that are said once, above the changes. */
  readonly shared?: readonly SharedBlock[];
}

/** The changes of larger sections are collapsed. */
const MAX_OPEN = 10;

interface ChangesOptions extends Pick<RenderOptions, "verbose" | "accepts"> {
  readonly type: ReportType;
  /** What is said if there is no change. */
  readonly empty: string;
  readonly diagnostics: readonly Diagnostic[];
  /** What the changes do to the numbers of insights. An apply has none. */
  readonly effects?: ShownEffects;
  /** Sentences below the changes. */
  readonly notes?: readonly string[];
}

/** All changes in their sections, with the filters above them. */
export function changesSection(
  sections: readonly ChangeSection[],
  { type, empty, verbose, accepts, diagnostics, effects = new Map(), notes = [] }: ChangesOptions,
): Markup {
  const shown = sections.filter(({ changes }) => changes.length > 0);
  const all = shown.flatMap(({ changes }) => changes);
  const work = startWork();
  const warnings = warningsByAddress(diagnostics);
  let number = 0;
  const parts = shown.map(({ title, changes, shared = [] }, index) => {
    const groups = groupChanges(changes, { verbose, effects });
    const isOpen = groups.length <= MAX_OPEN;
    const entries = groups.map((group) =>
      changeDetails(group, { number: ++number, isOpen }, { type, work, accepts, shared, warnings, effects }),
    );
    return markup`<section class="group" aria-labelledby="group-${index}"><h3 id="group-${index}">${title} <span class="total">${changes.length}</span></h3>
${shared.map((one) => sharedBox(one, type))}${entries}</section>
`;
  });
  const content =
    all.length === 0
      ? markup`<p>${empty}</p>`
      : markup`${controls(all, type)}${parts}${notes.map((note) => markup`<p class="note">${note}</p>\n`)}`;
  return markup`<section aria-labelledby="changes"><h2 id="changes" tabindex="-1">Changes</h2>
${content}</section>
`;
}

function sharedBox({ blocked, count }: SharedBlock, type: ReportType): Markup {
  const what = type === "driftline.drift" ? "differences that apply may not correct" : "changes are blocked";
  return markup`${blockedBox(`${String(count)} ${what}`, blocked)}\n`;
}
