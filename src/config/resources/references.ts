/** Checks what resources refer to by names, as far as the files show that. */
import { declaredIn, type DeclaredObject, isNamed, isToGo } from "../../kinds/reference-names.ts";
import { type Reference, referencesIn } from "../../kinds/references.ts";
import { joinWords } from "../../model/text/plural.ts";
import { quoted, visible } from "../../model/text/quote.ts";
import { type DesiredGraph, isWanted } from "../../model/resource.ts";
import { nearestHint } from "../unknown-keys.ts";
import type { ProblemDetail } from "../problems.ts";
import { nodeAt, toMapNode } from "../tree/tree.ts";
import type { BuiltResource } from "./graph.ts";

export function checkReferences(declared: readonly BuiltResource[], graph: DesiredGraph): void {
  for (const { resource, draft } of declared) {
    if (!isWanted(resource.lifecycle)) continue;
    for (const reference of referencesIn(resource.kind, resource.values)) {
      const objects = declaredIn(graph, resource.scope, reference.to);
      const named = objects.filter((one) => isNamed(reference, one));
      const place = nodeAt(toMapNode(draft.members, draft.place), reference.keys).node ?? draft.place;
      const wrong = wrongName(reference, named);
      if (wrong !== undefined) draft.problems.error(place, wrong);
      else if (named.length === 0 && !reference.isId)
        draft.problems.fieldWarning(place, undeclared(reference, objects), {
          field: reference.keys[0] ?? "",
          shown: { plan: "never", validate: true },
        });
    }
  }
}

function wrongName({ to, text, isId }: Reference, named: readonly DeclaredObject[]): ProblemDetail | undefined {
  const other = named.find(({ id }) => id?.toLowerCase() !== text.toLowerCase());
  const addresses = joinWords(
    named.map(({ address }) => visible(address)),
    "and",
  );
  const code = "ambiguous_reference";
  if (isId && other !== undefined) {
    const message = `${quoted(text)} may be an id, or stand for ${other.address}`;
    return { code, message, hint: `Give that ${to} another key, or name it in another way.` };
  }
  if (named.length > 1 && !isId)
    return { code, message: `the name ${quoted(text)} fits more than one ${to}: ${addresses}`, hint: "Write an id." };
  const [only] = named;
  if (only === undefined || !isToGo(only)) return undefined;
  const message = `${quoted(text)} is ${only.address}, which is declared absent`;
  return { code: "absent_reference", message, hint: "Remove one of the two." };
}

/** It may be on the service: a plan finds out. */
function undeclared({ to, text }: Reference, objects: readonly DeclaredObject[]): ProblemDetail {
  const names = [...new Set(objects.flatMap((one) => one.names))].map(visible);
  const nearest = nearestHint(text, names) ?? "";
  const hint = `${nearest} What is not declared has to be on the service: a plan finds out.`.trim();
  return { code: "undeclared_reference", message: `no ${to} ${quoted(text)} is declared here`, hint };
}
