/** What to do after a plan or a drift. */
import { isReady, isUndeclaredOnly } from "../model/change.ts";
import { command, type CommandWords } from "../model/command.ts";
import { CODES } from "../model/diagnostic-codes.ts";
import type { PlanDocument, ShownChange } from "../model/plan.ts";
import { MAX_ADDRESSES, plural } from "../model/text/plural.ts";
import { type Step, toRunnable } from "./command.ts";
import type { RenderOptions } from "./options.ts";
import { errorCount, isFiltered } from "./summary.ts";

/** The next steps, one line each; none if the caller reports them itself. */
export function nextSteps(document: PlanDocument, options: RenderOptions): readonly Step[] {
  if (options.showsNextSteps === false) return [];
  const { changes, type } = document;
  const { savedAs } = options;
  const isDrift = type === "driftline.drift";
  const isPart = document.diagnostics.some(
    ({ code, severity }) => code === CODES.partialConfiguration && severity === "error",
  );
  const canApply = changes.some(isReady) && !isPart;
  const runnable = toRunnable(command("apply"), options);
  // Only the hash of a plan covers what is unmanaged, and that of a drift approves nothing.
  const apply = isDrift ? runnable.filter((word) => word !== "--unmanaged") : runnable;
  const steps: Step[] = [];
  if (isDrift && canApply) steps.push(...restoreStep(document, options, apply));
  if (isDrift && changes.some((change) => isReady(change) || change.blocked !== null))
    steps.push({
      text: "To write the live values into the YAML files:",
      command: toRunnable(command("drift", { accept: true }), options),
    });
  if (canApply && !isDrift && savedAs === undefined)
    steps.push({ text: "This is only a plan. To carry it out:", command: apply });
  steps.push(...blockedSteps(document, options));
  if (changes.some(({ action }) => action === "unknown"))
    steps.push({ text: "Resources marked ? could not be compared, so apply skips them." });
  const errors = errorCount(document);
  if (errors > 0) {
    const were = errors === 1 ? "was" : "were";
    steps.push({ text: `${plural(errors, "error")} ${were} reported, so this report may be incomplete.` });
  }
  if (savedAs !== undefined) steps.push(savedStep(savedAs, canApply ? apply : undefined));
  return steps;
}

/** How to take back what a drift shows. @param apply the command for all of it */
function restoreStep(document: PlanDocument, options: RenderOptions, apply: CommandWords): readonly Step[] {
  const restored = document.changes.filter((one) => isReady(one) && !isUndeclaredOnly(one));
  if (restored.length === 0) return [];
  if (!isFiltered(document)) return [{ text: "To restore the declared values:", command: apply }];
  if (!canBeNamed(restored)) return [];
  const only = restored.map(({ address }) => address);
  return [{ text: "To restore these declared values:", command: toRunnable(command("apply", { only }), options) }];
}

/** Whether `--only` can name some changes and nothing else: they are few, and none is an organization, which holds others. */
function canBeNamed(changes: readonly ShownChange[]): boolean {
  return changes.length <= MAX_ADDRESSES && changes.every(({ address }) => address.includes("/"));
}

/** Where the plan was saved, and the command that applies it. */
export function savedStep(file: string, apply: CommandWords | undefined): Step {
  return apply === undefined
    ? { text: `Saved ${file}.` }
    : { text: `Saved ${file}. To apply exactly this:`, command: apply };
}

/** What becomes of blocked changes. */
function blockedSteps({ type, hash, changes }: PlanDocument, options: RenderOptions): readonly Step[] {
  const blocked = changes.filter((change) => change.blocked !== null);
  if (blocked.length === 0) return [];
  const isDrift = type === "driftline.drift";
  const what = plural(blocked.length, isDrift ? "difference" : "change");
  const [verb, them] = blocked.length === 1 ? ["is", "it"] : ["are", "them"];
  const step = { text: `${what} ${verb} blocked: apply skips ${them} until the block is lifted.` };
  // Where the changes are shown, their blocks say how.
  const isLimited = blocked.some((change) => change.blocked?.rule === "delete_limit");
  if (!isLimited || options.detail !== "summary") return [step];
  // Only a plan can be approved, so a drift leads to the plan first.
  const approve = isDrift ? command("plan") : command("apply", { approve: hash });
  return [step, { text: "To approve the removals:", command: toRunnable(approve, options) }];
}
