/** A name that only one object of a service can have is taken only if its holder gives it up before, in the same plan. */
import type { Check, Finding } from "../../kinds/check.ts";
import { guardsSignIn } from "../../kinds/entrances.ts";
import { listedObjects } from "../../kinds/listed-objects.ts";
import { organizationAt } from "../../kinds/live-organization.ts";
import { peopleOf } from "../../kinds/people/index.ts";
import { uniqueNameOf } from "../../kinds/unique-names.ts";
import type { World } from "../../kinds/world.ts";
import type { Change } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import { isPresent, type LiveObject, type LiveWorld } from "../../model/live.ts";
import { undeclaredAddress } from "../../model/plan.ts";
import { visible } from "../../model/text/quote.ts";
import { reaches } from "../../model/reaches.ts";
import { claimKey } from "../match.ts";

/** Who has the name that a change takes, and what the plan does with that object. */
interface Holder {
  readonly name: string;
  readonly live: LiveObject;
  readonly change: Change | undefined;
}

export const heldNames: Check = {
  rule: "lock_out",
  inspect: ({ changes, world }) => {
    const byObject = new Map(changes.flatMap((one) => (one.work?.live ? [[claimKey(one.work.live), one]] : [])));
    const takers = new Map<Change, Holder>();
    for (const change of changes) {
      const name = uniqueNameOf(change);
      const live = name === undefined ? undefined : objectNamed(world, change, name);
      if (name !== undefined && live !== undefined)
        takers.set(change, { name, live, change: byObject.get(claimKey(live)) });
    }
    const next = (change: Change): readonly Change[] => [takers.get(change)?.change ?? []].flat();
    const isFree = (taker: Change, { change: holder }: Holder): boolean =>
      isGivenUp(holder) && !reaches(taker, next, (one) => one === taker);
    const removed = new Map([...takers].map(([taker, holder]) => [holder.change, taker]));
    return (change) => {
      const taken = takers.get(change);
      if (taken !== undefined && !isFree(change, taken)) return heldName(taken);
      const taker = taken === undefined ? removed.get(change) : change;
      const holder = taker && takers.get(taker);
      return holder !== undefined && taker !== undefined && isFree(taker, holder)
        ? lockOutFinding(taker, holder, world)
        : undefined;
    };
  },
};

function objectNamed(world: LiveWorld, { kind, work }: Change, name: string): LiveObject | undefined {
  return listedObjects(world, work?.scope ?? "", kind).find((live) => isPresent(live) && live.keys.includes(name));
}

function isGivenUp(holder: Change | undefined): boolean {
  if (holder === undefined || holder.blocked !== null) return false;
  return holder.action === "delete" || uniqueNameOf(holder) !== undefined;
}

function heldName({ name, live, change }: Holder): Finding {
  const who = `${change?.address ?? undeclaredAddress(live)} (id ${visible(live.id)})`;
  const lift = `${visible(name)} is held by ${who}, which does not give it up in this plan: give that one another name, or have it removed, and apply first`;
  return { blocked: { rule: "service_refuses", lift } };
}

/** People who sign in through the removed object may not get in through the one that takes its name. */
function lockOutFinding(taker: Change, { name, live, change }: Holder, world: World): Finding | undefined {
  const values = organizationAt(world, live.scope) ?? {};
  const isGuarding = guardsSignIn(live, values);
  if (change?.action !== "delete" || !isGuarding) return undefined;
  const lift = `${visible(name)} is verified, and its people sign in with it: make sure that they still can without ${change.address}, and allow both changes:`;
  const detail = peopleOf(world, live.scope, [name]);
  return { blocked: { detail, lift, command: command("apply", { allowLoss: [change.address, taker.address] }) } };
}
