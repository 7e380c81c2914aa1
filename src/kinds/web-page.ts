import type { LiveObject, ScopePath } from "../model/live.ts";
import { webPageUrl } from "../model/web-page.ts";
import { kinds } from "./registry.ts";

/** The address of an object's page in the web interface; undefined if none is known. */
export function webPageOf(service: string, path: ScopePath, live: LiveObject): string | undefined {
  const segments = kinds[live.kind].pagePath?.(path, live);
  return segments && webPageUrl(service, segments);
}
