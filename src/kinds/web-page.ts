import type { LiveObject, ScopePath } from "../model/live.ts";
import { webPageUrl } from "../model/web-page.ts";

/** The address of an object's page in the web interface; undefined if none is known. Only insights have one that is known. */
export function webPageOf(service: string, path: ScopePath, { kind, pins }: LiveObject): string | undefined {
  const [project, id] = [path["project_id"], pins["short_id"]];
  if (kind !== "insight" || project === undefined || id === undefined) return undefined;
  return webPageUrl(service, ["project", project, "insights", id]);
}
