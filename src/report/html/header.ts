/** The top of a report. */
import type { PlanDocument } from "../../model/plan.ts";
import type { RenderOptions } from "../options.ts";
import type { Mark } from "../marks.ts";
import { codeList, type Fact, factList } from "./facts.ts";
import { markup, type Markup } from "./markup.ts";
import { timeText } from "../time.ts";

/** A count at the top of a report. */
export interface Count extends Omit<Mark, "style"> {
  readonly count: number;
  /** The id of the element that lists what is counted. */
  readonly target?: string;
}

/** The top of a report: what it is, the counts, and the facts about it. */
export function pageHeader(name: string, title: string, counts: readonly Count[], facts: readonly Fact[]): Markup {
  const tiles = counts.map(({ symbol, tone, count, word, target }) => {
    const text = target === undefined ? word : markup`<a href="#${target}">${word}</a>`;
    return markup`<li><span class="mark ${tone}" aria-hidden="true">${symbol}</span> <span class="count">${count}</span> ${text}</li>`;
  });
  return markup`<a class="skip" href="#changes">Skip to the changes</a>
<header>
<p class="name">${name}</p>
<h1>${title}</h1>
${tiles.length === 0 ? "" : markup`<ul class="counts">${tiles}</ul>\n`}${factList("facts", facts)}
</header>
`;
}

/** The facts about a document. */
export function reportFacts(
  {
    url,
    hash,
    tool_version: version,
    options: { only },
  }: Pick<PlanDocument, "url" | "hash" | "tool_version" | "options">,
  { footer, madeAt, commit }: RenderOptions,
): readonly Fact[] {
  return [
    ["Service", markup`<code>${url}</code>`],
    ["Plan", markup`<code>${hash}</code>`],
    ["Limited to", only.length === 0 ? undefined : codeList(only)],
    ["Made", madeAt && timeText(madeAt.toISOString())],
    ["Commit", commit],
    ["Version", `driftline ${version}`],
    ["Read", footer],
  ];
}
