/** Links to the pages of objects in the web interface of a service. A wrong link is worse than none. */

/** What an id looks like in the path of a page. */
const SEGMENT = /^[\w-]{1,64}$/u;

/** The page at this path of a service; undefined if a segment could lead elsewhere. A path in the address of the service stays. */
export function webPageUrl(service: string, segments: readonly string[]): string | undefined {
  return segments.every((segment) => SEGMENT.test(segment))
    ? pageOfService(service, `${rootOf(service)}${segments.join("/")}`)
    : undefined;
}

/** The link, if it is an http or https address below that of the service, and every reader takes it for the same one. */
export function pageOfService(service: string, link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { protocol, username, password, href } = new URL(link);
  const isPlain = /^https?:$/u.test(protocol) && username === "" && password === "" && href === link;
  return isPlain && link.startsWith(rootOf(service)) ? link : undefined;
}

function rootOf(service: string): string {
  return `${service.replace(/\/+$/u, "")}/`;
}
