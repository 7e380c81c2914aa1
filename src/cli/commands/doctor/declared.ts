import type { Client } from "../../../api/client.ts";
import { kinds } from "../../../kinds/registry.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import type { JsonObject } from "../../../model/json.ts";
import { listKey, type LiveList } from "../../../model/live.ts";
import type { DesiredGraph } from "../../../model/resource.ts";
import { resolveScopes } from "../../../plan/scopes.ts";
import { readOrganizations } from "../../../snapshot/snapshot.ts";
import { EXIT } from "../../exit-codes.ts";
import { ok, type Finding } from "./report.ts";
import type { Place } from "./scopes.ts";

/** What was declared, as far as the service has it. */
export interface Found {
  readonly findings: readonly Finding[];
  /** Where requests can go: the first declared organization and project that are there. */
  readonly place: Place;
}

/** Finds the declared organizations and projects on the service, as a plan does. */
export async function findDeclared(client: Client, graph: DesiredGraph): Promise<Found> {
  const pins = graph.resources.flatMap(({ kind, pin }) =>
    kind === "organization" && pin !== undefined ? [pin.value] : [],
  );
  const root = await readOrganizations(client, pins);
  const list: LiveList = root.lists.get(listKey("", "organization")) ?? { status: "known", objects: [] };
  const { scopes, diagnostics } = resolveScopes(graph, list);
  const paths = [...scopes.values()].flatMap((scope) => (scope.status === "known" ? [scope.path] : []));
  const place: Place = Object.assign({}, ...paths.toReversed());
  const findings = [...scopes].flatMap(([address, scope]): Finding[] => {
    if (address === "") return [];
    if (scope.status === "known") return [ok("declared", "it is there", address)];
    if (scope.status === "absent") return [ok("declared", "it is not there yet", address)];
    const own = diagnostics.find((one) => one.address === address);
    return [problem(address, scope.reason, own, scope.denied)];
  });
  return { findings: [...findings, ...root.diagnostics.map(ofService)], place };
}

/** A project that the organization has not is the configuration's mistake, as it is to a plan. */
function problem(address: string, message: string, known: Diagnostic | undefined, denied: boolean): Finding {
  const fix = known?.hint ?? "Run driftline plan to see what stands in the way.";
  const otherwise = denied ? EXIT.denied : EXIT.error;
  const exitCode = known?.code === "unknown_project" ? EXIT.invalid : otherwise;
  return { check: "declared", subject: address, status: "error", message, fix, exitCode };
}

function ofService({ code, message, hint }: Diagnostic): Finding {
  const exitCode = code === "access_denied" ? EXIT.denied : EXIT.error;
  return { check: "declared", subject: null, status: "error", message, fix: hint ?? null, exitCode };
}

/** Where requests can go without a configuration: an organization that the key sees, and its first project. */
export function placeOf(organization: JsonObject | undefined): Place {
  const id = organization?.["id"];
  if (organization === undefined || typeof id !== "string") return {};
  const [team] = kinds.organization.asScope?.projects(organization) ?? [];
  return { organization_id: id, ...(team === undefined ? {} : { project_id: team.id }) };
}
