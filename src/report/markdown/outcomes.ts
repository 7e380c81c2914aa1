import type { OutcomesDocument, Status } from "../../model/outcome.ts";
import { plural } from "../../model/plural.ts";
import { type Group, groupsOf } from "../change-groups.ts";
import { diagnosticsBlock } from "./diagnostics.ts";
import {
  code,
  countsTable,
  details,
  fit,
  omittedNote,
  paragraph,
  prose,
  reportFooter,
  roomBeside,
  sentence,
  tableWithin,
} from "./markdown.ts";
import { objectLink, memberTexts, objectText } from "./objects.ts";
import type { RenderOptions } from "../options.ts";
import { rightsText } from "../person.ts";
import { outcomePhrases, outcomeSteps, skippedGroups, verdict, type SkippedGroup } from "../outcome-phrases.ts";
import { isShown, STATUSES } from "../marks.ts";

/** The character limit for applied changes. Failed and skipped changes get the rest. */
const DONE_ROOM = 12_000;

/** The objects of a group are named if they are not longer. Characters. */
const MEMBERS_ROOM = 6_000;

/** The character limit for the addresses that were skipped for one reason. */
const SKIPPED_ROOM = 4_000;

/** The outcomes of an apply as a comment on a pull request, always shorter than 60,000 characters. */
export function outcomesMarkdown(document: OutcomesDocument, options: RenderOptions): string {
  const shown = document.changes.filter(isShown);
  const { type } = document;
  const groupsIn = (...statuses: readonly Status[]): readonly Group[] =>
    groupsOf(
      shown.filter(({ status }) => statuses.includes(status)),
      { ...options, type },
    ).groups;
  const before = [`### driftline apply: ${verdict(document).toLowerCase()}`, ...countsTable(outcomePhrases(document))];
  const after = [
    ...doneBlock(groupsIn("applied")),
    ...diagnosticsBlock(document.diagnostics, options),
    ...closing(document, options),
  ];
  const room = roomBeside([...before, ...after]);
  const problems = groupsIn("yielded", "failed", "unverified", "unknown");
  const blocks = [...problems.map(problemBlock), ...skippedGroups(shown, options).map(skippedBlock)];
  const { kept, omitted } = fit(blocks, room);
  return `${[...before, ...kept, ...omittedNote(omitted), ...after].join("\n\n")}\n`;
}

/** Changes that failed alike. */
function problemBlock(group: Group): string {
  const { changes, mark, result, box, members } = group;
  const [change] = changes;
  const { id, reason } = change;
  const rights = members.length > 0 ? "" : rightsText(change);
  const body = [
    ...(rights === "" ? [] : [prose(rights)]),
    box === undefined ? paragraph(reason) : `${code(box.code)}: ${prose(box.text, 1000)}`,
    ...(box?.remedy === undefined ? [] : [`Hint: ${sentence(box.remedy)}`]),
    ...(id === null || members.length > 0 ? [] : [`Id ${code(id)}`]),
    ...memberTexts(group.members),
  ];
  return details(`${mark.symbol} ${objectText(group)}: ${prose(result)}`, body.join("\n\n"), "open");
}

/** Skipped changes follow from failed ones, so they are closed. */
function skippedBlock({ code: name, message, hint, command, addresses }: SkippedGroup): string {
  const summary = `${STATUSES.skipped.symbol} ${plural(addresses.length, "change")} skipped: ${prose(message, 1000)}`;
  const { kept, omitted } = fit(
    addresses.map((address) => code(address)),
    SKIPPED_ROOM,
  );
  const others = omitted === 0 ? "" : `, … and ${omitted} more`;
  const body = [
    `${code(name)}: ${kept.join(", ")}${others}`,
    ...(hint === undefined ? [] : [`Hint: ${sentence({ text: hint, command })}`]),
  ];
  return details(summary, body.join("\n\n"));
}

function doneBlock(groups: readonly Group[]): readonly string[] {
  if (groups.length === 0) return [];
  const rows = groups.map((group) => {
    const { subject, name, link, kind, result, members } = group;
    const object = members.length === 0 ? objectLink(subject, name, link) : objectText(group);
    const list = memberTexts(members.map((one) => ({ ...one, link: undefined }))).map((text) => `: ${text}`);
    return [[object, ...list.filter(({ length }) => length < MEMBERS_ROOM)].join(""), prose(kind), prose(result)];
  });
  const count = groups.reduce((sum, { changes }) => sum + changes.length, 0);
  const summary = `${STATUSES.applied.symbol} ${plural(count, "change")} applied`;
  return [details(summary, tableWithin(DONE_ROOM, ["address", "kind", "result"], rows))];
}

function closing(document: OutcomesDocument, options: RenderOptions): readonly string[] {
  const steps = outcomeSteps(document, options).map((step) => sentence(step));
  return [...(steps.length > 0 ? [steps.join("\n")] : []), reportFooter(document, options)];
}
