import { createHash } from "node:crypto";
import { writeCanonical, type ValueObject } from "../../model/json.ts";
import type { DesiredGraph } from "../../model/resource.ts";

/** SHA-256 over what is declared, not where: moving it to another file changes nothing. Secrets count as expressions. */
export function configHash(graph: DesiredGraph): string {
  const bare = {
    resources: graph.resources.map((resource) => ({
      ...bareObject(resource),
      lifecycle: bareObject(resource.lifecycle),
    })),
    projects: graph.projects.map(bareObject),
    exclusive: graph.exclusive.map(bareObject),
    service: bareObject(graph.service),
  };
  const hash = createHash("sha256");
  writeCanonical(bare, (text) => hash.update(text));
  return `sha256:${hash.digest("hex")}`;
}

function bareObject(value: object): ValueObject {
  return Object.fromEntries(Object.entries(value).filter(([key, item]) => key !== "position" && item !== undefined));
}
