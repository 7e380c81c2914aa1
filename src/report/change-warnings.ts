import { CODES } from "../model/diagnostic-codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { groupBy } from "../model/group-by.ts";
import type { ShownChange } from "../model/plan.ts";
import { isShown } from "./marks.ts";
import type { RenderOptions } from "./options.ts";

/** Whether a warning is about a change that a report shows, or about a person whom it lists. */
export function isInReport(changes: readonly ShownChange[]): (one: Diagnostic) => boolean {
  const isAbout = isAboutOne(changes);
  return (one) => isAbout(one) || one.code === CODES.undeclaredRights;
}

function isAboutOne(changes: readonly ShownChange[]): (one: Diagnostic) => boolean {
  const addresses = new Set<string | undefined>(changes.filter(isShown).map(({ address }) => address));
  return ({ severity, address }) => severity === "warning" && addresses.has(address);
}

/** What a report says of its changes: the warnings of one change by its address, and those that several have, which are said once. */
export function warningsAbout(
  { changes, diagnostics }: { readonly changes: readonly ShownChange[]; readonly diagnostics: readonly Diagnostic[] },
  { verbose = false }: Pick<RenderOptions, "verbose">,
): {
  readonly ofOne: ReadonlyMap<string, readonly Diagnostic[]>;
  readonly ofSeveral: readonly Diagnostic[];
  /** All but those of one change, and of undeclared people, who have a table. */
  readonly others: readonly Diagnostic[];
} {
  const warnings = diagnostics.filter(isAboutOne(changes));
  const alike = groupBy(warnings, (one, index) => JSON.stringify(verbose ? index : [one.code, one.message]));
  const isOfOne = (group: readonly [Diagnostic, ...Diagnostic[]]): boolean =>
    group.every(({ address }) => address === group[0].address);
  const single = new Set([...alike.values()].filter(isOfOne).flat());
  const ofOne = groupBy([...single], ({ address = "" }) => address);
  // It stands at its change, so its place in a file would only be in the way.
  const placed = (one: Diagnostic): Diagnostic => {
    const { severity, code, message, hint, command } = one;
    return verbose ? one : { severity, code, message, hint, command };
  };
  return {
    ofOne: new Map([...ofOne].map(([address, own]) => [address, own.map(placed)])),
    ofSeveral: warnings.filter((one) => !single.has(one)),
    others: diagnostics.filter((one) => !single.has(one) && one.code !== CODES.undeclaredRights),
  };
}
