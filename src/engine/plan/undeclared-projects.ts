/** The projects of declared organizations that no file declares: a plan reads nothing of them. */
import type { Client } from "../../api/client.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { listQueryFor } from "../../api/operations/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { ListedProject } from "../../kinds/kind-parts.ts";
import { projectsOf } from "../../kinds/registry.ts";
import { command } from "../../model/command.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { isJsonObject } from "../../model/json.ts";
import { type LiveSnapshot, scopePathAt } from "../../model/live.ts";
import { isSelected } from "../../model/plan.ts";
import { joinWords, plural } from "../../model/plural.ts";
import { quoted } from "../../model/quote.ts";
import { readObject } from "../../world/read-object.ts";
import { listedKinds } from "../collections.ts";
import type { EngineInput } from "../context.ts";

/** What is in further projects is not counted. */
const MAX_COUNTED = 20;

/** A warning for each declared organization that has such projects. It says how much is in them, from one row of each list. */
export async function undeclaredProjects(
  { config: { graph }, client, options }: EngineInput,
  { scopes }: LiveSnapshot,
): Promise<readonly Diagnostic[]> {
  const organizations = graph.resources.filter(
    ({ scope, address }) => scope === "" && isSelected(address, options.only),
  );
  const warnings = organizations.map(async ({ kind, address }): Promise<readonly Diagnostic[]> => {
    const id = scopePathAt(scopes, address)["organization_id"];
    const live =
      id === undefined ? undefined : await readObject(client, { kind, scope: "", id }, { organization_id: id, id });
    const declared = graph.projects.filter(({ organization }) => organization === address);
    const ids = new Set(declared.map((one) => scopePathAt(scopes, one.address)["project_id"] ?? one.id));
    const names = new Set(declared.map(({ name }) => name));
    const projects = (live && projectsOf(live))?.filter((one) => !ids.has(one.id) && !names.has(one.name)) ?? [];
    const [first] = projects;
    if (id === undefined || first === undefined) return [];
    const counted = await Promise.all(projects.slice(0, MAX_COUNTED).map((one) => described(client, one)));
    const rest = projects.length - counted.length;
    const named = [...counted, ...(rest === 0 ? [] : [`${String(rest)} more`])];
    const message = `no file declares ${plural(projects.length, "project")}: ${joinWords(named, "and")}`;
    const words = command("export", { organization: id, project: first.id, out: "live" });
    const hint = { hint: `To see ${quoted(first.name)} as a configuration:`, command: words };
    return [{ severity: "warning", code: "undeclared_projects", message, ...hint, address }];
  });
  return (await Promise.all(warnings)).flat();
}

/** A project and what is in it, such as `"Growth" (id 3) with 60 insights`. */
async function described(client: Client, { id, name }: ListedProject): Promise<string> {
  const kinds = listedKinds("project", client.profile);
  const counts = await Promise.all(kinds.map((kind) => countOf(client, kind, id)));
  const found = kinds.flatMap((kind, index) => {
    const count = counts[index];
    if (count === undefined) return [`${kind.collection} that cannot be counted`];
    return count === 0 ? [] : [plural(count, kind.name.replaceAll("_", " "))];
  });
  return `${quoted(name)} (id ${id}) with ${found.length === 0 ? "nothing in it" : joinWords(found, "and")}`;
}

async function countOf(client: Client, { lists }: Kind, project: string): Promise<number | undefined> {
  const [operation] = lists.operations("project");
  if (operation === undefined) return undefined;
  try {
    const query = { ...listQueryFor(client.profile, operation), limit: 1 };
    const { body } = await client.request(operation, { path: { project_id: project }, query });
    const count = isJsonObject(body) ? body["count"] : undefined;
    return typeof count === "number" ? count : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
