import type { Client } from "../../../api/client.ts";
import { fetchScopes } from "../../../engine/fetch.ts";
import { kinds } from "../../../kinds/registry.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import type { JsonObject } from "../../../model/json.ts";
import type { DesiredGraph } from "../../../model/resource.ts";
import { EXIT } from "../../exit-codes.ts";
import { ok, type Finding } from "./report.ts";
import type { Place } from "./scopes.ts";

/** The declared scopes, as the service has them. */
export interface DeclaredScopes {
  readonly findings: readonly Finding[];
  /** The first declared organization and project that exist: requests can be tried there. */
  readonly place: Place;
}

/** Finds the declared organizations and projects on the service, as a plan does. */
export async function findDeclared(client: Client, graph: DesiredGraph): Promise<DeclaredScopes> {
  const { resolved, diagnostics } = await fetchScopes(client, graph);
  const paths = [...resolved.scopes.values()].flatMap((scope) => (scope.status === "known" ? [scope.path] : []));
  const place: Place = Object.assign({}, ...paths.toReversed());
  const findings = [...resolved.scopes].flatMap(([address, scope]): Finding[] => {
    if (address === "") return [];
    if (scope.status === "known") return [ok("declared", "it exists", address)];
    if (scope.status === "absent") return [ok("declared", "it does not exist yet", address)];
    const known = resolved.diagnostics.find((one) => one.address === address);
    return [unresolved(address, scope.reason, known, scope.denied)];
  });
  return { findings: [...findings, ...diagnostics.map(ofService)], place };
}

/** A project that its organization does not have is a mistake in the configuration, as it is to a plan. */
function unresolved(address: string, message: string, known: Diagnostic | undefined, denied: boolean): Finding {
  const fix = known?.hint ?? "Run driftline plan to see the reason.";
  const otherwise = denied ? EXIT.denied : EXIT.error;
  const exitCode = known?.code === "unknown_project" ? EXIT.invalid : otherwise;
  return { check: "declared", subject: address, status: "error", message, fix, exitCode };
}

function ofService({ code, message, hint }: Diagnostic): Finding {
  const exitCode = code === "access_denied" ? EXIT.denied : EXIT.error;
  return { check: "declared", subject: null, status: "error", message, fix: hint ?? null, exitCode };
}

/** The place of requests without a configuration: an organization that the key sees, and its first project. */
export function placeOf(organization: JsonObject | undefined): Place {
  const id = organization?.["id"];
  if (organization === undefined || typeof id !== "string") return {};
  const [team] = kinds.organization.asScope?.projects(organization) ?? [];
  return { organization_id: id, ...(team === undefined ? {} : { project_id: team.id }) };
}
