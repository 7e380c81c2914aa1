/** The projects of declared organizations that no file declares: a plan reads nothing of them. */
import type { Client } from "../../api/client.ts";
import { listQueryFor } from "../../api/operations/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { objectIn, objectRead } from "../../kinds/object-read.ts";
import { type ListedProject, projectsOf } from "../../kinds/live-organization.ts";
import { type Needing, type RowsAnswer, rowsIn, type RowsRead, answeredRows, type World } from "../../kinds/world.ts";
import { command } from "../../model/command.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { scopePathAt } from "../../model/live.ts";
import { isSelected } from "../../model/plan.ts";
import { joinWords, plural } from "../../model/text/plural.ts";
import { quoted } from "../../model/text/quote.ts";
import type { DesiredGraph, Resource } from "../../model/resource.ts";
import { listedKinds } from "../collections.ts";
import type { EngineInput } from "../context.ts";
import { collectionOf } from "../../kinds/registry.ts";

/** What is in further projects is not counted. */
const MAX_COUNTED = 20;

/** What was found out about some projects. */
interface ProjectFindings extends Needing {
  readonly diagnostics: readonly Diagnostic[];
}

/** A warning for each declared organization that has such projects. It says how much is in them, from one row of each list. */
export function undeclaredProjects({ config: { graph }, client, options }: EngineInput, world: World): ProjectFindings {
  const organizations = graph.resources.filter(
    ({ scope, address }) => scope === "" && isSelected(address, options.only),
  );
  const results = organizations.map((one) => undeclaredProjectsOf(graph, client.profile, world, one));
  return {
    diagnostics: results.flatMap(({ diagnostics }) => diagnostics),
    needs: results.flatMap(({ needs }) => needs),
  };
}

function undeclaredProjectsOf(
  graph: DesiredGraph,
  profile: Client["profile"],
  world: World,
  { kind, address }: Resource,
): ProjectFindings {
  const id = scopePathAt(world.scopes, address)["organization_id"] ?? "";
  const organization = { kind, scope: "", id };
  const read = id === "" ? undefined : objectRead(organization, {});
  const live = objectIn(world, organization, {});
  const declared = graph.projects.filter((one) => one.organization === address);
  const ids = new Set(declared.map((one) => scopePathAt(world.scopes, one.address)["project_id"] ?? one.id));
  const names = new Set(declared.map(({ name }) => name));
  const projects = (live && projectsOf(live))?.filter((one) => !ids.has(one.id) && !names.has(one.name)) ?? [];
  const [first] = projects;
  if (read === undefined || first === undefined) return { diagnostics: [], needs: read === undefined ? [] : [read] };
  const counted = projects.slice(0, MAX_COUNTED);
  const rest = projects.length - counted.length;
  const named = [
    ...counted.map((one) => described(profile, world, one)),
    ...(rest === 0 ? [] : [`${String(rest)} more`]),
  ];
  const message = `no file declares ${plural(projects.length, "project")}: ${joinWords(named, "and")}`;
  const words = command("export", { organization: id, project: first.id, out: "live" });
  const hint = { hint: `To see ${quoted(first.name)} as a configuration:`, command: words };
  return {
    diagnostics: [{ severity: "warning", code: "undeclared_projects", message, ...hint, address }],
    needs: [
      read,
      ...counted.flatMap((one) => listedKinds("project", profile).flatMap((listed) => countRead(profile, listed, one))),
    ],
  };
}

/** A project and what is in it, such as `"Growth" (id 3) with 60 insights`. */
function described(profile: Client["profile"], world: World, project: ListedProject): string {
  const counts = listedKinds("project", profile).flatMap((kind) => {
    const [count] = countRead(profile, kind, project).map((read) => countIn(rowsIn(world, read)));
    if (count === undefined) return [`${collectionOf(kind.name)} that cannot be counted`];
    return count === 0 ? [] : [plural(count, kind.name.replaceAll("_", " "))];
  });
  return `${quoted(project.name)} (id ${project.id}) with ${counts.length === 0 ? "nothing in it" : joinWords(counts, "and")}`;
}

/** The read of one row of a list, whose answer says how many there are; none if the kind has no list in projects. */
function countRead(profile: Client["profile"], { lists }: Kind, { id }: ListedProject): readonly RowsRead[] {
  return lists
    .operations("project")
    .slice(0, 1)
    .map((operation) => {
      const query = { ...listQueryFor(profile, operation), limit: 1 };
      return { what: "row", operation, path: { project_id: id }, query };
    });
}

function countIn(answer: RowsAnswer | undefined): number | undefined {
  const count = answeredRows(answer)[0]?.["count"];
  return typeof count === "number" ? count : undefined;
}
