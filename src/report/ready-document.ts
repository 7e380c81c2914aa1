/** A document as people read it: its commands can be run, and its sentences name as many people as there is room for. */
import type { CommandWords } from "../model/command.ts";
import { withPlanHash } from "../model/document-json.ts";
import type { OutcomesDocument } from "../model/outcome.ts";
import type { PlanDocument } from "../model/plan.ts";
import { withFewNames } from "../model/text/plural.ts";
import { toRunnable } from "./command.ts";
import { VERBOSE } from "./diagnostics.ts";
import { WHERE_ALL_IS } from "./markdown/markdown.ts";
import type { Format, RenderOptions } from "./options.ts";

export function readyDocument<T extends PlanDocument | OutcomesDocument>(
  document: T,
  format: Format,
  options: RenderOptions,
): T {
  // Only a page has room for all people.
  const isWhole = format === "html" || (format === "text" && options.verbose === true);
  const few = (text: string): string =>
    isWhole ? text : withFewNames(text, format === "text" ? VERBOSE : WHERE_ALL_IS);
  const runnable = <H extends { readonly command?: CommandWords | undefined }>(one: H): H =>
    one.command === undefined
      ? one
      : { ...one, command: toRunnable(withPlanHash(one.command, document.hash), options) };
  return {
    ...document,
    changes: document.changes.map((change) => {
      const { blocked, reason } = change;
      const detail = blocked?.detail === undefined ? {} : { detail: few(blocked.detail) };
      return {
        ...runnable(change),
        reason: few(reason),
        blocked: blocked && { ...runnable(blocked), ...detail, lift: few(blocked.lift) },
        ...("error" in change && change.error !== null ? { error: runnable(change.error) } : {}),
      };
    }),
    diagnostics: document.diagnostics.map((one) => ({ ...runnable(one), message: few(one.message) })),
  };
}
