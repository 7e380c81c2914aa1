import type { Check } from "../../kinds/check.ts";
import { kindSchema } from "../../kinds/fields.ts";
import { nodesOf } from "../../kinds/nodes.ts";
import { kinds } from "../../kinds/registry.ts";
import type { Change, ChangeWithWork } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import { listKey, type LiveObject } from "../../model/live.ts";
import { quoted, visible } from "../../model/text/quote.ts";
import { findRenameCandidates } from "./rename-detection.ts";

/**
 * Warns of creates that are probably an undeclared object: one that somebody has renamed and edited, or one with the same name, but for
 * capital letters and blanks. They are not blocked: two objects may have one query, and a service takes both names. Equal values under
 * another name are a rename (rename-detection.ts).
 */
export const probablySame: Check = {
  inspect: ({ changes, undeclared }) => {
    const open = changes.filter(({ blocked }) => blocked?.rule !== "forgotten_rename");
    const { byCreate } = findRenameCandidates(open, undeclared, "similar");
    const byName = changes.some(isOpenCreate) ? byFoldedName(undeclared) : new Map<string, LiveObject>();
    return (change) => {
      const { address } = change;
      const renamed = byCreate.get(change);
      const live = renamed ?? similarlyNamed(change, byName);
      if (live === undefined) return undefined;
      const [name] = live.keys;
      const subject = `the ${live.kind}${name === undefined ? "" : ` ${quoted(name)}`} (id ${visible(live.id)}) has`;
      const same = Object.keys(nodesOf(live.kind)).join(" and ");
      const [code, message, advice] =
        renamed === undefined
          ? ["similar_name", `${subject} nearly the same name`, "write its name, or pin it:"]
          : [
              "probable_rename",
              `${subject} the same ${same}: it is probably this one, renamed and edited`,
              "pin it, which keeps it over every rename:",
            ];
      const hint = `If this one is new, declare lifecycle.create: true. If it is the same, ${advice}`;
      const pin = command("pin", { only: `${address}=${live.id}` });
      return { warnings: [{ code, message, hint: { hint, command: pin } }] };
    };
  },
};

function isOpenCreate({ action, blocked }: Change): boolean {
  return action === "create" && blocked === null;
}

function byFoldedName(undeclared: readonly LiveObject[]): ReadonlyMap<string, LiveObject> {
  return new Map(
    undeclared.flatMap((live) => live.keys.map((key) => [`${listKey(live.scope, live.kind)}\n${folded(key)}`, live])),
  );
}

function similarlyNamed(change: ChangeWithWork, byName: ReadonlyMap<string, LiveObject>): LiveObject | undefined {
  const { resource } = change.work;
  if (!isOpenCreate(change) || resource === undefined) return undefined;
  const { kind, scope, values, name, pin, lifecycle } = resource;
  if (pin !== undefined || lifecycle.create === true || kindSchema(kind)["x-pins"].length === 0) return undefined;
  return kinds[kind].identity
    .declaredKeys(values, name)
    .flatMap((key) => byName.get(`${listKey(scope, kind)}\n${folded(key)}`) ?? [])[0];
}

/** A name without what people overlook. */
function folded(name: string): string {
  return name.normalize("NFKC").trim().replaceAll(/\s+/gu, " ").toLowerCase();
}
