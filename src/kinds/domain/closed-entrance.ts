/**
 * A change after which people have no way in is refused: of a domain that begins to keep people out, and of a configuration that has
 * let them in. The lists are read whole, because those of the plan may lack the values of what nothing declares.
 */
import { isReady, type Change } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import { compareNaturally } from "../../model/compare-text.ts";
import { firstOf, MAX_NAMES } from "../../model/text/plural.ts";
import { visible } from "../../model/text/quote.ts";
import { allObjects, type Check, type CheckedPlan, type Finding } from "../check.ts";
import { idAfter, isShut, objectsAfter, opens, shutsOut } from "../entrances.ts";
import { isDeployedAt } from "../service-signs.ts";
import { peopleOf } from "../people/members.ts";

export const closedEntrance: Check = {
  rule: "lock_out",
  ofWholePlan: true,
  needsOrganization: shutsOut,
  inspect: (plan) => (change) => (change.kind === "domain" ? ofDomain(plan, change) : ofConfiguration(plan, change)),
};

function ofDomain(plan: CheckedPlan, change: Change): Finding | undefined {
  const { scope = "" } = change.work ?? {};
  // A deployed server drops the setting of a new object.
  const isDropped = change.action === "create" && isDeployedAt(plan.world, scope);
  if (!shutsOut(change) || isDropped) return undefined;
  const configs = allObjects(plan.world, scope, "identity_provider_config");
  const openers = objectsAfter(plan.changes, configs.seen, { scope, kind: "identity_provider_config" });
  const isOpen = openers.some(({ values }) => opens(values, idAfter(change)));
  return {
    needs: configs.needs,
    ...(isOpen
      ? {}
      : closedBlock(plan, change, { before: change.action === "replace" ? AFTER : BEFORE, gap: configs.gap })),
  };
}

const BEFORE =
  "declare its identity provider: all saml_* of the domain, or an identity_provider_config with config_scope: saml, a certificate, and the domain";

/** No configuration can name a domain that is in the place of another one before that one is gone. */
const AFTER =
  "leave out sso_enforcement, and declare it again when the new domain is verified, and its provider names it";

function ofConfiguration(plan: CheckedPlan, change: Change): Finding | undefined {
  const { changes, world } = plan;
  const { scope = "", live } = change.work ?? {};
  const isChanged = isReady(change) && (change.action === "update" || change.action === "delete");
  if (live === undefined || !isChanged) return undefined;
  const domains = allObjects(world, scope, "domain");
  const configs = allObjects(world, scope, "identity_provider_config");
  const openers = objectsAfter(changes, configs.seen, { scope, kind: "identity_provider_config" });
  const was = configs.seen.find(({ id }) => id === change.id)?.values;
  const shut = objectsAfter(changes, domains.seen, { scope, kind: "domain" }).filter(
    ({ id, values }) => isShut(values) && opens(was, id) && !openers.some((opener) => opens(opener.values, id)),
  );
  const gap = domains.gap ?? configs.gap;
  const isFine = shut.length === 0 && gap === undefined;
  const closed = { names: shut.map(({ name }) => name), gap };
  return { needs: [...domains.needs, ...configs.needs], ...(isFine ? {} : closedBlock(plan, change, closed)) };
}

/** What has to be done before a change after which people have no way in, or the names of what it closes, and why there may be more. */
interface Closed {
  readonly before?: string;
  readonly names?: readonly string[];
  readonly gap: string | undefined;
}

function closedBlock({ world }: CheckedPlan, { address, work }: Change, { before, names = [], gap }: Closed): Finding {
  const { scope = "", key } = work ?? {};
  const detail = peopleOf(world, scope, before === undefined ? names : [key ?? ""]);
  const quotedNames = names.map(visible).toSorted(compareNaturally);
  const first = names.length === 0 ? before : `have ${firstOf(quotedNames, MAX_NAMES)} enforce something else`;
  const others = gap === undefined ? undefined : `find out who could still sign in (${gap})`;
  const lift = [first, others].filter((one) => one !== undefined).join(", or ");
  return { blocked: { detail, lift: `${lift}, or allow it:`, command: command("apply", { allowLoss: address }) } };
}
