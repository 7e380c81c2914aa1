/**
 * Finds organizations and projects that are declared twice.
 *
 * Premise: only the service shows that an id and a name, or two ids under two organizations, are one. Each of two declarations would
 * take the objects of the other one for undeclared, or for missing.
 */
import { canonicalJson } from "../model/canonical-json.ts";
import { CODES } from "../model/diagnostic-codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { LiveScope } from "../model/live.ts";
import { visible } from "../model/quote.ts";
import type { ProjectScope } from "../model/resource.ts";

/** The errors about organizations and projects that another declaration, which comes first, declares as well. */
export function duplicateScopes(
  declared: readonly Pick<ProjectScope, "address" | "position">[],
  scopes: ReadonlyMap<string, LiveScope>,
): readonly Diagnostic[] {
  const seen = new Map<string, string>();
  return declared.flatMap(({ address, position }): readonly Diagnostic[] => {
    const scope = scopes.get(address);
    if (scope?.status !== "known") return [];
    const id = canonicalJson(scope.path);
    const first = seen.get(id);
    seen.set(id, first ?? address);
    if (first === undefined) return [];
    const message = `${first} declares the same one (id ${visible(Object.values(scope.path).join(" "))})`;
    const hint = `Declare both under one key: move what is in ${address} to ${first}.`;
    return [{ severity: "error", code: CODES.duplicateScope, message, hint, address, ...position }];
  });
}
