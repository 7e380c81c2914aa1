import { CODES } from "../../../model/diagnostic-codes.ts";
import { groupBy } from "../../../model/group-by.ts";
import { command } from "../../../model/command.ts";
import type { Client } from "../../../api/client.ts";
import { operations } from "../../../api/operations/index.ts";
import { firstOf } from "../../../model/plural.ts";
import { findServiceDifferences } from "../../../engine/doctor/service-differences.ts";
import { fetchScopes } from "../../../engine/plan/fetch.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import type { LiveScope } from "../../../model/live.ts";
import type { DesiredGraph } from "../../../model/resource.ts";
import { EXIT } from "../../exit-codes.ts";
import { ok, problem, type Finding } from "./report.ts";
import type { PathIds } from "./probe.ts";

/** What the configuration declares, as the service has it. */
export interface DeclaredScopes {
  readonly findings: readonly Finding[];
  /** The ids of the first declared organization and project that exist. Requests can be tried with them. */
  readonly pathIds: PathIds;
}

/** Finds the declared organizations and projects on the service, as a plan does, and what the service does not have. */
export async function findDeclared(client: Client, graph: DesiredGraph): Promise<DeclaredScopes> {
  const fetched = await fetchScopes(client, graph);
  const { resolved, diagnostics } = fetched;
  const paths = [...resolved.scopes.values()].flatMap((scope) => (scope.status === "known" ? [scope.path] : []));
  const pathIds: PathIds = Object.assign({}, ...paths.toReversed());
  const findings = [...resolved.scopes].flatMap(([address, scope]): Finding[] => {
    if (address === "") return [];
    if (resolved.unchecked.has(address)) return [uncheckedFinding(address)];
    const known = resolved.diagnostics.find((one) => one.address === address);
    if (known?.code === CODES.duplicateScope)
      return [problem("declared", "error", { ...known, subject: address, exitCode: EXIT.invalid })];
    if (scope.status === "known") return [ok("declared", "it exists", address)];
    if (scope.status === "absent") return [ok("declared", "it does not exist yet", address)];
    return [unresolvedFinding(address, scope, known)];
  });
  const differences = differenceFindings(await findServiceDifferences(client, graph, fetched));
  return { findings: [...findings, ...diagnostics.map(serviceFinding), ...differences], pathIds };
}

/** The most resources that are named beside the first one. */
const MAX_OTHERS = 3;

/** One finding for each thing that the service does not have, however many resources declare it. */
function differenceFindings(differences: readonly Diagnostic[]): readonly Finding[] {
  return [...groupBy(differences, ({ message }) => message)].map(([message, [first, ...rest]]) => {
    const addresses = rest.map(({ address = "" }) => address);
    const others = rest.length === 0 ? "" : `; so for ${firstOf(addresses, MAX_OTHERS)}`;
    const { hint, address: subject = "" } = first;
    return problem("not_on_service", "warning", { message: `${message}${others}`, hint, subject });
  });
}

/** The key may not see it, and it need not: plans trust the declared id. */
function uncheckedFinding(address: string): Finding {
  const message = "the key may not see it, so only its declared id is known";
  const scope = operations["organizations.list"].scope ?? "";
  const hint = `Make sure that the id is right, or give the API key the scope ${scope}.`;
  return problem("declared", "unknown", { message, hint, subject: address });
}

type UnknownScope = Extract<LiveScope, { readonly status: "unknown" }>;

/** A project that its organization does not have is an error of the configuration, as in a plan. */
function unresolvedFinding(
  address: string,
  { reason: message, denied }: UnknownScope,
  known: Diagnostic | undefined,
): Finding {
  const way = known?.hint === undefined ? { hint: "To see the reason:", command: command("plan") } : known;
  const otherwise = denied ? EXIT.denied : EXIT.error;
  const exitCode = known?.code === CODES.unknownProject ? EXIT.invalid : otherwise;
  return problem("declared", "error", { ...way, message, subject: address, exitCode });
}

function serviceFinding(diagnostic: Diagnostic): Finding {
  const exitCode = diagnostic.code === CODES.accessDenied ? EXIT.denied : EXIT.error;
  return problem("declared", "error", { ...diagnostic, exitCode });
}
