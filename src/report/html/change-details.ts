import type { Step } from "../command.ts";
import { isRemoval, undeclaredBeside, type Action, type Blocked } from "../../model/change.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { fieldRows, removedInLine } from "../diff/entries.ts";
import type { DiffWork } from "../diff/text-diff.ts";
import type { DiagnosticGroup } from "../diagnostics.ts";
import { type ShownEffects, sideNames } from "../effect/words.ts";
import type { RenderOptions } from "../options.ts";
import { isShared, type SharedBlock } from "../shared-blocks.ts";
import { outcomeProblem, resultText, STATUSES } from "../outcome-phrases.ts";
import { ACTIONS, isUnseen, markOf, modifiedText, nameText, needsId } from "../change-phrases.ts";
import { ruleText } from "../../model/rule-reasons.ts";
import { commonAddress, withoutLine, type ChangeGroup } from "../change-groups.ts";
import { effectBlock } from "./effect/block.ts";
import { breakable, joined, markup, sentence, type Markup } from "./markup.ts";
import { type ReportType, rowMarkup } from "./rows.ts";

/** A change of a plan or a drift report, or the outcome of one; or several that are equal. */
type Group = ChangeGroup<ShownChange | Outcome>;

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
  readonly accepts: RenderOptions["accepts"];
  /** Blocks that are said once, above the changes. */
  readonly shared: readonly SharedBlock[];
  readonly effects: ShownEffects;
  /** The warnings about each address. They are listed at the end as well. */
  readonly warnings: ReadonlyMap<string, readonly DiagnosticGroup[]>;
}

/**
 * A group as a section that opens and closes.
 *
 * @param number its number in the report, which starts at 1
 * @param isOpen change-sections.ts opens all changes of a short report
 */
export function changeDetails(
  group: Group,
  { number, isOpen }: { readonly number: number; readonly isOpen: boolean },
  context: DetailsContext,
): Markup {
  const { type, effects } = context;
  const [change] = group;
  const { kind, action, blocked } = change;
  const warnings = group.flatMap(({ address }) => context.warnings.get(address) ?? []);
  const { symbol, tone, word } = changeMark(change, type);
  // An apply has no effects.
  const effect = type === "driftline.outcomes" ? "" : effectBlock(effects.get(change.address), type, number);
  const isBlocked = blocked === null ? "" : " blocked";
  const tokens =
    "status" in change
      ? markup`data-status="${change.status}${isBlocked}" data-action="${action}"`
      : markup`data-action="${action}${isBlocked}"`;
  const summary = markup`<summary><span class="mark ${tone}" aria-hidden="true">${symbol}</span> <span class="word">${word}</span> <span class="object">${objectOf(group)}</span> <span class="kind">${kind}</span> <span class="reason">${sentence(reasonOf(group))}${warnings.length === 0 ? "" : markup`; <span class="warning">${plural(warnings.length, "warning")}</span>`}</span></summary>`;
  return markup`<details class="change" id="change-${number}" ${tokens} data-kind="${kind}"${group.length === 1 ? markup` data-scope="${change.address}"` : ""}${isOpen ? markup` open` : ""}>${summary}
<div class="body">${linkTo(number)}${problemBox(change, context)}${warnings.map(warningNote)}${group.length === 1 ? metaList(change) : ""}${fieldBlock(group, context)}${effect}${membersOf(group)}</div>
</details>
`;
}

function warningNote({ code, message }: DiagnosticGroup): Markup {
  return markup`<p class="note"><span class="mark warning" aria-hidden="true">!</span> <code>${code}</code>: ${message}</p>`;
}

/** The address with the object's name, or how many objects there are, and where. */
function objectOf(group: Group): Markup {
  const [change] = group;
  if (group.length === 1) return markup`<span class="address">${breakable(change.address)}</span>${nameOf(change)}`;
  const common = commonAddress(group);
  const place = common === "" ? "" : markup` <span class="title">in ${common}</span>`;
  return markup`<span class="address">${plural(group.length, change.kind)}</span>${place}`;
}

/** Items with at most this many characters share a line with others. */
const MAX_SHORT = 16;

/** What a group consists of, without what all addresses begin with. */
function membersOf(group: Group): Markup {
  if (group.length === 1) return markup``;
  const { length } = commonAddress(group);
  const items = group.map((one) => {
    const id = one.id === null || !needsId(one) ? "" : ` id ${one.id}`;
    const notes = `${id} ${removedInLine(one) ?? ""}`.trimEnd() + modifiedText(one);
    const note = notes === "" ? "" : markup`<span class="note">${notes}</span>`;
    const object = webLink(one.link, markup`<code>${breakable(one.address.slice(length))}</code>`);
    return markup`<li data-scope="${one.address}">${object}${nameOf(one)}${note}</li>`;
  });
  const isShort = group.every(
    (one) => `${one.address.slice(length)}${nameText(one)}${modifiedText(one)}`.length <= MAX_SHORT,
  );
  return markup`<ul class="members${isShort ? " short" : ""}">${items}</ul>`;
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

function reasonOf({ 0: change, length }: Group): Step {
  const { reason, command } = change;
  if (!("status" in change)) return { text: `${reason}${length === 1 ? modifiedText(change) : ""}`, command };
  if (change.status === "applied") return { text: reason };
  if (change.status === "yielded") return { text: resultText(change) };
  const problem = outcomeProblem(change);
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
  const problem = "status" in change ? outcomeProblem(change) : undefined;
  if ("status" in change && change.status === "yielded") return markup`<p class="note">${resultText(change)}</p>`;
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

/** A link to the page of an object in the web interface, if it has one. */
function webLink(page: string | undefined, label: Markup): Markup {
  if (page === undefined) return label;
  return markup`<a href="${page}" target="_blank" rel="noopener noreferrer">${label}</a>`;
}

function metaList(change: ShownChange | Outcome): Markup {
  const { id, link, reason } = change;
  const uncompared = undeclaredBeside(change);
  const items = [
    ...("status" in change && change.status !== "applied"
      ? [markup`<div><dt>Reason</dt><dd>${reason}</dd></div>`]
      : []),
    ...(id === null || !needsId(change) ? [] : [markup`<div><dt>Id</dt><dd><code>${id}</code></dd></div>`]),
    ...(link === undefined ? [] : [markup`<div><dt>Web page</dt><dd>${webLink(link, breakable(link))}</dd></div>`]),
    ...(uncompared.length === 0 ? [] : [markup`<div><dt>Live has more</dt><dd>${codeList(uncompared)}</dd></div>`]),
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

function fieldBlock(group: Group, { type, work, accepts }: DetailsContext): Markup {
  const [change] = group;
  const rows = fieldRows(group.length === 1 ? change : withoutLine(change), type, work).map(rowMarkup);
  if (rows.length === 0) return markup``;
  const [prior, planned] = sideNames(type === "driftline.outcomes" ? "driftline.plan" : type, { accepts });
  const isSided = type === "driftline.drift" && !isUnseen(change);
  const legend = !isSided ? "" : markup`<p class="note"><del>${prior}</del> → <ins>${planned}</ins></p>`;
  return markup`<div class="fields">${legend}${rows}</div>`;
}
