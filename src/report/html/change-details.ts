import type { Step } from "../command.ts";
import { isRemoval, type Action, type Blocked } from "../../model/change.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { ShownChange } from "../../model/plan.ts";
import type { DiffWork } from "../diff/text-diff.ts";
import { isShared, type SharedBlock } from "../shared-blocks.ts";
import { ACTIONS, markOf, modifiedText, nameText, needsId, problemOf, STATUSES } from "../phrases.ts";
import { ruleText } from "../rule-reasons.ts";
import { joined, markup, sentence, type Markup } from "./markup.ts";
import { fieldRows, type ReportType } from "./rows.ts";

/** A change of a plan or a drift report, or the outcome of one, as a section that opens and closes. */
export interface Entry {
  readonly change: ShownChange | Outcome;
  /** The number in the report. Starts at 1. */
  readonly number: number;
  readonly isOpen: boolean;
}

/** The symbol before a change, and its tone: a class of the style. */
export interface Mark {
  readonly symbol: string;
  readonly tone: string;
  /** The action or the result in words. */
  readonly word: string;
}

/** What all changes of a section are rendered with. */
export interface DetailsContext {
  readonly type: ReportType;
  readonly work: DiffWork;
  /** Blocks that are said once, above the changes. */
  readonly shared: readonly SharedBlock[];
}

/** One change. */
export function changeDetails({ change, number, isOpen }: Entry, context: DetailsContext): Markup {
  const { type, work } = context;
  const { address, kind, action, blocked } = change;
  const { symbol, tone, word } = changeMark(change, type);
  const isBlocked = blocked === null ? "" : " blocked";
  const tokens =
    "status" in change
      ? markup`data-status="${change.status}${isBlocked}" data-action="${action}"`
      : markup`data-action="${action}${isBlocked}"`;
  const summary = markup`<summary><span class="mark ${tone}" aria-hidden="true">${symbol}</span> <span class="word">${word}</span> <span class="object"><span class="address">${address}</span>${nameOf(change)}</span> <span class="kind">${kind}</span> <span class="reason">${sentence(reasonOf(change))}</span></summary>`;
  return markup`<details class="change" id="change-${number}" ${tokens} data-kind="${kind}" data-scope="${address}"${isOpen ? markup` open` : ""}>${summary}
<div class="body">${problemBox(change, context)}${linkTo(number)}${metaList(change)}${fieldBlock(change, type, work)}</div>
</details>
`;
}

/** The object's name, if the address does not say it. */
function nameOf(change: ShownChange | Outcome): Markup {
  const name = nameText(change);
  return name === "" ? markup`` : markup` <span class="title">${name}</span>`;
}

/** The symbol, tone and words of a change. */
export function changeMark(change: ShownChange | Outcome, type: ReportType): Mark {
  const { action, blocked } = change;
  if ("status" in change) {
    const { status } = change;
    return {
      symbol: STATUSES[status].mark,
      tone: status,
      word: ACTIONS[action][status === "applied" ? "done" : "verb"],
    };
  }
  const { symbol } = markOf(change);
  const word = actionWord(action, type);
  if (blocked === null) return { symbol, tone: action, word };
  return { symbol, tone: isRemoval(change) ? "delete" : "blocked", word: `${word}, blocked` };
}

/** An action in a word, or how the live object differs. */
export function actionWord(action: Action, type: ReportType): string {
  return ACTIONS[action][type === "driftline.drift" ? "drift" : "verb"];
}

function reasonOf(change: ShownChange | Outcome): Step {
  const { reason, command } = change;
  if (!("status" in change)) return { text: `${reason}${modifiedText(change)}`, command };
  if (change.status === "applied") return { text: reason };
  const problem = problemOf(change);
  return { text: `${STATUSES[change.status].word}${problem === undefined ? "" : `: ${problem.message}`}` };
}

/** Why a change is blocked, or why it failed, and what to do about it. */
function problemBox(change: ShownChange | Outcome, { type, shared }: DetailsContext): Markup {
  const { blocked } = change;
  if (blocked !== null) {
    // The summary says that it is blocked, and the box above by what if there is only one.
    if (isShared(blocked, shared) && shared.length === 1) return markup``;
    if (isShared(blocked, shared))
      return markup`<p class="note">Blocked (<code>${blocked.rule}</code>): see above.</p>`;
    return blockedBox(type === "driftline.drift" ? "Apply is blocked" : "Blocked", blocked);
  }
  const problem = "status" in change ? problemOf(change) : undefined;
  if (problem === undefined) return markup``;
  const hint =
    problem.hint === undefined ? "" : markup`<p>${sentence({ text: problem.hint, command: problem.command })}</p>`;
  return markup`<div class="box"><p><code>${problem.code}</code>: ${problem.message}</p>${hint}</div>`;
}

/** Why something is blocked, and how to go ahead. */
export function blockedBox(what: string, blocked: Blocked): Markup {
  const remedy = sentence({ text: blocked.remedy, command: blocked.command });
  return markup`<div class="box"><p><strong>${what}</strong> (<code>${blocked.rule}</code>): ${ruleText(blocked)}.</p><p>To go ahead: ${remedy}</p></div>`;
}

/** A link that can be copied, and that opens the change. */
function linkTo(number: number): Markup {
  return markup`<a class="anchor" href="#change-${number}">#change-${number}</a>`;
}

function metaList(change: ShownChange | Outcome): Markup {
  const { id, more = [], reason } = change;
  const items = [
    ...("status" in change && change.status !== "applied"
      ? [markup`<div><dt>Reason</dt><dd>${reason}</dd></div>`]
      : []),
    ...(id === null || !needsId(change) ? [] : [markup`<div><dt>Id</dt><dd><code>${id}</code></dd></div>`]),
    ...(more.length === 0 ? [] : [markup`<div><dt>Live has more</dt><dd>${codeList(more)}</dd></div>`]),
  ];
  return items.length === 0 ? markup`` : markup`<dl class="meta">${items}</dl>`;
}

/** Texts as code, with commas between them. */
export function codeList(texts: readonly string[]): Markup {
  return joined(
    texts.map((text) => markup`<code>${text}</code>`),
    markup`, `,
  );
}

function fieldBlock(change: ShownChange | Outcome, type: ReportType, work: DiffWork): Markup {
  const rows = fieldRows(change, type, work);
  if (rows.length === 0) return markup``;
  const drift = type === "driftline.drift" && change.action !== "create";
  const legend = drift ? markup`<p class="note"><del>live</del> → <ins>declared</ins></p>` : "";
  return markup`<div class="fields">${legend}${rows}</div>`;
}
