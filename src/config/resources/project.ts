import type { ProjectScope } from "../../model/resource.ts";
import { collectionsOf } from "../../kinds/registry.ts";
import type { ScopeDeclaration } from "./merge.ts";
import { placeOf } from "./places.ts";
import { rejectSecrets } from "./draft.ts";
import type { Problems } from "../problems.ts";
import { describeNode, type Member, positionOf } from "../tree/tree.ts";
import { unknownScopeKey } from "../messages.ts";

const OWN_KEYS = ["id", "name", "exclusive"];

/** Reads how to find a project: by its id (or its key, if that is a number), else by its name (or its key). */
export function readProject(project: ScopeDeclaration, problems: Problems): ProjectScope {
  const collections = collectionsOf(project.type);
  for (const member of project.own.values()) {
    if (OWN_KEYS.includes(member.key)) continue;
    const detail = unknownScopeKey(member, [...OWN_KEYS, ...collections], collections);
    problems.error(member, { ...detail, address: project.address });
  }
  const organization = project.address.slice(0, project.address.indexOf("/"));
  const common = { address: project.address, organization, position: positionOf(placeOf(project)) };
  const id = readProjectKey(project.own.get("id"), "string or integer", project, problems);
  const name = readProjectKey(project.own.get("name"), "string", project, problems);
  if (id !== undefined) return name === undefined ? { ...common, id } : { ...common, id, name };
  if (/^\d+$/.test(project.name))
    return name === undefined ? { ...common, id: project.name } : { ...common, id: project.name, name };
  return { ...common, name: name ?? project.name };
}

function readProjectKey(
  member: Member | undefined,
  expected: string,
  project: ScopeDeclaration,
  problems: Problems,
): string | undefined {
  const node = member?.value;
  if (member === undefined || node === undefined || node.type === "broken") return undefined;
  const { address } = project;
  if (rejectSecrets(node, `${member.key} of a project`, problems, address)) return undefined;
  const value = node.type === "scalar" ? node.value : undefined;
  if (typeof value === "string" && value.trim() !== "") return value;
  if (typeof value === "number" && Number.isInteger(value) && expected.includes("integer")) return String(value);
  const message = `expected ${expected}, found ${describeNode(node)}`;
  const hint = typeof value === "number" && !expected.includes("integer") ? `Put it in quotes: "${value}".` : undefined;
  return problems.error(node, { code: "wrong_type", message, hint, address });
}
