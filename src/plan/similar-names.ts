import { kindSchema } from "../kinds/fields.ts";
import { kinds } from "../kinds/registry.ts";
import { command } from "../model/command.ts";
import type { Change } from "../model/change.ts";
import { type Diagnostic, warningAt } from "../model/diagnostic.ts";
import { listKey, type LiveObject } from "../model/live.ts";
import { quoted, visible } from "../model/quote.ts";

/**
 * Warns of creates whose name an undeclared object has, but for capital letters and blanks. The service takes both, so the second one
 * would be created without a word. Equal values under another name are a rename (guard/rename-detection.ts).
 *
 * @param explained addresses of creates about which a warning of this sort stands already
 */
export function similarNames(
  changes: readonly Change[],
  unmanaged: readonly LiveObject[],
  explained: ReadonlySet<string | undefined>,
): readonly Diagnostic[] {
  const creates = changes.filter(
    ({ action, blocked, address }) => action === "create" && !blocked && !explained.has(address),
  );
  if (creates.length === 0) return [];
  const byName = new Map(
    unmanaged.flatMap((live) => live.keys.map((key) => [`${listKey(live.scope, live.kind)}\n${folded(key)}`, live])),
  );
  return creates.flatMap(({ work }): readonly Diagnostic[] => {
    const resource = work?.resource;
    if (resource === undefined || resource.pin !== undefined || resource.lifecycle.create === true) return [];
    if (kindSchema(resource.kind)["x-pins"].length === 0) return [];
    const { address, kind, scope, values, name } = resource;
    const near = kinds[kind].identity
      .declaredKeys(values, name)
      .flatMap((key) => byName.get(`${listKey(scope, kind)}\n${folded(key)}`) ?? []);
    const [live] = near;
    if (live === undefined) return [];
    const message = `the ${kind} ${quoted(live.keys[0] ?? "")} (id ${visible(live.id)}) has nearly the same name`;
    const advice = "If this one is new, declare lifecycle.create: true. If it is the same, write its name, or pin it:";
    const hint = { hint: advice, command: command("pin", {}, `${address}=${live.id}`) };
    return [warningAt(resource, { code: "similar_name", message, hint })];
  });
}

/** A name without what people overlook. */
function folded(name: string): string {
  return name.normalize("NFKC").trim().replaceAll(/\s+/gu, " ").toLowerCase();
}
