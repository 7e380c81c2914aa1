import { undeclaredBeside } from "../../model/change.ts";
import { pathText } from "../../model/pointer.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/text/plural.ts";
import type { Box, ShownGroup } from "../change-groups.ts";
import type { Step } from "../command.ts";
import { type DiagnosticGroup, groupDiagnostics } from "../diagnostics.ts";
import { sideNames } from "../effect/words.ts";
import type { ReportType } from "../marks.ts";
import type { RenderOptions } from "../options.ts";
import { effectBlock } from "./effect/block.ts";
import { codeList, factList } from "./facts.ts";
import { breakable, markup, sentence, type Markup } from "./markup.ts";
import { timeText } from "../time.ts";
import { fieldMarkup } from "./fields.ts";

/** What all changes of a report are rendered with. */
export interface DetailsContext extends Pick<RenderOptions, "accepts"> {
  readonly type: ReportType;
}

/**
 * A group as a section that opens and closes.
 *
 * @param number its number in the report, which starts at 1
 * @param isOpen change-sections.ts opens all changes of a short report
 */
export function changeDetails(
  group: ShownGroup,
  { number, isOpen }: { readonly number: number; readonly isOpen: boolean },
  context: DetailsContext,
): Markup {
  const { changes, mark, kind, box, effect, members } = group;
  const [change] = changes;
  // They are listed at the end as well.
  const { warnings } = groupDiagnostics(group.warnings);
  // An apply has no effects.
  const shownEffect = context.type === "driftline.outcomes" ? "" : effectBlock(effect, context.type, number);
  const isBlocked = change.blocked === null ? "" : " blocked";
  const tokens =
    "status" in change
      ? markup`data-status="${change.status}${isBlocked}" data-action="${change.action}"`
      : markup`data-action="${change.action}${isBlocked}"`;
  const count =
    warnings.length === 0 ? "" : markup`; <span class="warning">${plural(warnings.length, "warning")}</span>`;
  const summary = markup`<summary><span class="mark ${mark.tone}" aria-hidden="true">${mark.symbol}</span> <span class="word">${mark.word}</span> <span class="object">${objectOf(group)}</span> <span class="kind">${kind}</span> <span class="reason">${sentence(reasonOf(group))}${count}</span></summary>`;
  return markup`<details class="change" id="change-${number}" ${tokens} data-kind="${kind}"${members.length === 0 ? markup` data-scope="${change.address}"` : ""}${isOpen ? markup` open` : ""}>${summary}
<div class="body"><a class="anchor" href="#change-${number}">#change-${number}</a>${box === undefined ? "" : boxMarkup(box)}${metaList(group)}${fieldBlock(group, context)}${warnings.map(warningNote)}${shownEffect}${memberList(group)}</div>
</details>
`;
}

function warningNote({ code, message }: DiagnosticGroup): Markup {
  return markup`<p class="note"><span class="mark warning" aria-hidden="true">!</span> <code>${code}</code>: ${message}</p>`;
}

/** The address with the object's name, or how many objects there are, and where. */
function objectOf({ subject, name, place }: ShownGroup): Markup {
  return markup`<span class="address">${breakable(subject)}</span>${titleOf(place === "" ? name : `in ${place}`)}`;
}

function titleOf(text: string): Markup {
  return text === "" ? markup`` : markup` <span class="title">${text}</span>`;
}

/** Items with at most this many characters share a line with others. */
const MAX_SHORT = 16;

/** What a group consists of. */
function memberList({ members, changes }: ShownGroup): Markup {
  if (members.length === 0) return markup``;
  const items = members.map(({ address, name, link, note, id }, index) => {
    const time = endOf(changes[index]);
    const notes = [...(note === "" ? [] : [note]), ...(id === null ? [] : [`id ${id}`]), ...time].join(", ");
    const object = webLink(link, markup`<code>${breakable(address)}</code>`);
    return markup`<li data-scope="${changes[index]?.address ?? ""}">${object}${titleOf(name)}${notes === "" ? "" : markup`<span class="note"> ${notes}</span>`}</li>`;
  });
  const isShort = members.every(({ address, name, note }) => `${address}${name}${note}`.length <= MAX_SHORT);
  return markup`<ul class="members${isShort ? " short" : ""}">${items}</ul>`;
}

/** The reason of a change; of an outcome that is not as planned, its result. What was applied needs no command. */
function reasonOf({ changes: [change], reason, result, box }: ShownGroup): Step {
  if (!("status" in change)) return reason;
  if (change.status === "applied") return { text: reason.text };
  return { text: box === undefined ? result : `${result}: ${box.text}` };
}

/** When a change of an apply ended, if something was sent for it. */
function endOf(change: ShownChange | Outcome | undefined): readonly string[] {
  const at = change !== undefined && "status" in change ? change.ended_at : undefined;
  return at === undefined ? [] : [timeText(at, "second")];
}

/** Why something is blocked, or why it failed, and what to do about it. */
export function boxMarkup({ lead, code, text, hint }: Box): Markup {
  const what = lead === "" ? markup`<code>${code}</code>` : markup`<strong>${lead}</strong> (<code>${code}</code>)`;
  const below = hint === undefined ? "" : markup`<p>${sentence(hint)}</p>`;
  return markup`<div class="box"><p>${what}: ${text}</p>${below}</div>`;
}

/** A link to the page of an object in the web interface, if it has one. */
function webLink(page: string | undefined, label: Markup): Markup {
  if (page === undefined) return label;
  return markup`<a href="${page}" target="_blank" rel="noopener noreferrer">${label}</a>`;
}

function metaList({ changes: [change], members, reason, id, link }: ShownGroup): Markup {
  if (members.length > 0) return markup``;
  const uncompared = undeclaredBeside(change);
  return factList("meta", [
    ["Reason", "status" in change && change.status !== "applied" ? reason.text : undefined],
    ["Id", id === null ? undefined : markup`<code>${id}</code>`],
    ["Ended", endOf(change)[0]],
    ["Web page", link === undefined ? undefined : webLink(link, breakable(link))],
    ["Live has more", uncompared.length === 0 ? undefined : codeList(uncompared.map(pathText))],
  ]);
}

function fieldBlock({ fields, isMissing }: ShownGroup, { type, accepts }: DetailsContext): Markup {
  if (fields.length === 0) return markup``;
  const [prior, planned] = sideNames(type, { accepts });
  const isSided = type === "driftline.drift" && !isMissing;
  const legend = isSided ? markup`<p class="note"><del>${prior}</del> → <ins>${planned}</ins></p>` : "";
  return markup`<div class="fields">${legend}${fields.map(fieldMarkup)}</div>`;
}
