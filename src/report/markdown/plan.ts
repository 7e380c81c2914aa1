import type { Blocked } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { commonPlace, countText, groupDiagnostics, omittedText, type DiagnosticGroup } from "../diagnostics.ts";
import { fieldBlocks } from "./fields.ts";
import { code, countsTable, details, fit, omittedNote, prose, roomBeside, sentence, table } from "./markdown.ts";
import type { RenderOptions } from "../options.ts";
import { cleanText, counts, differences, errorCount, isClean, nextSteps } from "../summary.ts";
import { isShown, markOf, modifiedText, ruleText } from "../phrases.ts";

/** The most lines of warnings. */
const MAX_WARNINGS = 5;
/** Characters for the warnings, and as many for the errors. */
const DIAGNOSTICS_ROOM = 8_000;
const UNMANAGED_ROOM = 8_000;

/** A plan or a drift report as a comment on a pull request, always shorter than 60,000 characters. */
export function planMarkdown(document: PlanDocument, options: RenderOptions): string {
  const shown = document.changes.filter(isShown);
  const before = [`### ${heading(document)}`, ...lead(document)];
  const after = [
    ...unmanagedBlock(document, options),
    ...diagnosticsBlock(document.diagnostics, options),
    ...closing(document, options),
  ];
  const room = roomBeside([...before, ...after]);
  const { kept, omitted } = fitByRisk(
    shown,
    shown.map((change) => changeBlock(change, document.type)),
    room,
  );
  return `${[...before, ...kept, ...omittedNote(omitted), ...after].join("\n\n")}\n`;
}

function heading(document: PlanDocument): string {
  const name = document.type === "driftline.drift" ? "driftline drift" : "driftline plan";
  if (isClean(document)) return `${name}: nothing differs`;
  const found = differences(document);
  if (found.length > 0) return `${name}: ${found.join(", ")}`;
  return `${name}: ${plural(errorCount(document), "error")}`;
}

function lead(document: PlanDocument): readonly string[] {
  if (isClean(document)) return [prose(cleanText(document))];
  const { only } = document.options;
  const limited =
    only.length === 0
      ? []
      : [
          `Limited to ${only
            .slice(0, 10)
            .map((address) => code(address))
            .join(", ")}${only.length > 10 ? ", …" : ""}.`,
        ];
  return [...countsTable(counts(document)), ...limited];
}

function changeBlock(change: ShownChange, type: PlanDocument["type"]): string {
  const { blocked } = change;
  const { symbol, verb, drift } = markOf(change);
  const what = `${type === "driftline.drift" ? drift : verb}${blocked === null ? "" : ", blocked"}`;
  const summary = `${code(symbol)} ${what}: ${code(change.address)} (${prose(change.kind)}): ${prose(change.reason, 300)}${prose(modifiedText(change), 100)}`;
  const blockedText =
    blocked === null
      ? []
      : [
          `**${type === "driftline.drift" ? "Apply is blocked" : "Blocked"}** (${prose(blocked.rule)}): ${ruleText(blocked.rule)}. To go ahead: ${remedyText(blocked)}.`,
        ];
  const fields = fieldBlocks(change, type);
  const id = change.id === null ? [] : [`Id ${code(change.id)}`];
  const body = [...blockedText, ...(fields === "" ? [] : [fields]), ...id];
  return details(summary, body.length === 0 ? "No fields to show." : body.join("\n\n"));
}

function remedyText({ lift }: Blocked): string {
  return lift.startsWith("--") ? code(lift, 500) : prose(lift);
}

/** Chooses the riskiest changes if not all of them fit. The chosen ones stay in the order of the plan. */
function fitByRisk(
  changes: readonly ShownChange[],
  blocks: readonly string[],
  room: number,
): { readonly kept: readonly string[]; readonly omitted: number } {
  const order = blocks.map((_, index) => index).toSorted((a, b) => risk(changes[a]) - risk(changes[b]) || a - b);
  const chosen = new Set<number>();
  let used = 0;
  for (const index of order) {
    const size = (blocks[index]?.length ?? 0) + 2;
    if (used + size > room) continue;
    used += size;
    chosen.add(index);
  }
  return { kept: blocks.filter((_, index) => chosen.has(index)), omitted: blocks.length - chosen.size };
}

function risk(change: ShownChange | undefined): number {
  if (change === undefined) return 9;
  return change.blocked === null
    ? ["delete", "replace", "unknown", "restore", "create", "update"].indexOf(change.action)
    : 0.5;
}

function unmanagedBlock({ unmanaged }: PlanDocument, { unmanaged: isRequested }: RenderOptions): readonly string[] {
  if (isRequested !== true || unmanaged.length === 0) return [];
  const rows = unmanaged.map(
    ({ scope, kind, key, id }) =>
      `| ${[code(scope), prose(kind), key === null ? "<i>(no name)</i>" : code(key), code(id)].join(" | ")} |`,
  );
  const { kept, omitted } = fit(rows, UNMANAGED_ROOM);
  const more = omitted === 0 ? "" : `\n\n… and ${omitted} more.`;
  const body = `${table(["scope", "kind", "name", "id"], [])}\n${kept.join("\n")}${more}`;
  return [details(`${plural(unmanaged.length, "unmanaged object")}, left alone`, body)];
}

/** Warnings, then errors. Readers of a comment see most of them only here. */
export function diagnosticsBlock(
  diagnostics: readonly Diagnostic[],
  { verbose }: Pick<RenderOptions, "verbose">,
): readonly string[] {
  if (diagnostics.length === 0) return [];
  const limit = verbose === true ? undefined : { lines: MAX_WARNINGS, linesOf: () => 1 };
  const shown = groupDiagnostics(diagnostics, limit);
  const warnings = fit(shown.warnings.map(diagnosticItem), DIAGNOSTICS_ROOM);
  const errors = fit(shown.errors.map(diagnosticItem), DIAGNOSTICS_ROOM);
  const left = shown.omitted + warnings.omitted;
  const lines = [
    ...warnings.kept,
    ...(left > 0 ? [`- ${omittedText(left)}: ${code("--verbose")} lists all of them`] : []),
    ...errors.kept,
    ...(errors.omitted > 0 ? [`- … and ${plural(errors.omitted, "more error")}`] : []),
  ];
  return [lines.join("\n")];
}

function diagnosticItem(group: DiagnosticGroup): string {
  const place = commonPlace(group);
  const where = place === "" ? "" : ` at ${code(place)}`;
  const hint = group.hint === undefined ? "" : ` (${prose(group.hint)})`;
  return `- **${group.severity}** ${code(group.code)}${where}: ${prose(group.message)}${countText(group)}${hint}`;
}

function closing(document: PlanDocument, options: RenderOptions): readonly string[] {
  const steps = options.next === false || isClean(document) ? [] : nextSteps(document).map(sentence);
  const facts = [code(document.url), `plan ${code(document.hash)}`, `driftline ${prose(document.tool_version, 40)}`];
  const footer = options.footer === undefined ? [] : [prose(options.footer)];
  return [...(steps.length > 0 ? [steps.join("\n")] : []), `<sub>${[...facts, ...footer].join(" · ")}</sub>`];
}
