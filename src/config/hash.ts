import { createHash } from "node:crypto";
import { canonicalJson, type ValueObject } from "../model/json.ts";
import type { DesiredGraph } from "../model/resource.ts";

/** SHA-256 over what is declared, not where: moving it to another file changes nothing. Secrets count as expressions. */
export function hashOf(graph: DesiredGraph): string {
  const bare = {
    resources: graph.resources.map((resource) => ({
      ...bareObject(resource),
      lifecycle: bareObject(resource.lifecycle),
    })),
    projects: graph.projects.map(bareObject),
    exclusive: graph.exclusive.map(bareObject),
    service: bareObject(graph.service),
  };
  return `sha256:${createHash("sha256").update(canonicalJson(bare)).digest("hex")}`;
}

function bareObject(value: object): ValueObject {
  return Object.fromEntries(Object.entries(value).filter(([key, item]) => key !== "position" && item !== undefined));
}
