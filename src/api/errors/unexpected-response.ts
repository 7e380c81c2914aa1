/** Answers that do not come from the interface: web pages and redirects, such as those of a login before the service. */
import { own } from "../../model/json/json.ts";
import { quoted } from "../../model/text/quote.ts";
import { type ApiError, oneLine, withFields } from "./errors.ts";
import { protocolError, type Origin } from "./from-response.ts";

interface WebPage {
  /** Empty if it has none. */
  readonly title: string;
  readonly isLogin: boolean;
}

/** How much of a page is searched. Bytes. */
const MAX_PAGE = 64 * 1024;

/** The longest title in a message. Characters. */
const MAX_TITLE = 80;

const LOGIN_WORDS = /\b(?:log[ -]?in|sign[ -]?in|single sign[ -]?on|sso|authenticat(?:e|ion)|access denied)\b/iu;
const PASSWORD_FIELD = /<input\b[^>]*\btype=["']?password/iu;

const LOGIN_HINT =
  "This is a login page, perhaps of a proxy with single sign-on before the service. Let requests that have an API key pass it, or use an address that leads to the service itself.";

/** A body that is not JSON, with its media type. */
export interface OtherBody {
  readonly type: string;
  readonly body: Uint8Array;
}

/** Reads the title of an HTML page. Returns undefined for other bodies. */
function readPage({ type, body }: OtherBody, redact: Origin["redact"]): WebPage | undefined {
  const text = new TextDecoder().decode(body.subarray(0, MAX_PAGE));
  if (!/\bhtml\b/u.test(type) && !/^\s*<(?:!doctype html|html)\b/iu.test(text)) return undefined;
  const [, title = ""] = /<title\b[^>]*>([^<]*)/iu.exec(text) ?? [];
  const line = oneLine(redact(withoutEntities(title).replaceAll(/\s+/gu, " ")), MAX_TITLE);
  return { title: line, isLogin: LOGIN_WORDS.test(title) || PASSWORD_FIELD.test(text) };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

function withoutEntities(text: string): string {
  return text.replaceAll(/&(#?\w+);/gu, (entity, name: string) => own(ENTITIES, name) ?? entity);
}

export function notJsonError(origin: Origin, service: URL, status: number, received: OtherBody): ApiError {
  const { type } = received;
  const page = readPage(received, origin.redact);
  const what = page === undefined || page.title === "" ? type : `the web page ${quoted(page.title)}`;
  const hint =
    page?.isLogin === true ? LOGIN_HINT : `Check the URL of the service: driftline expected JSON and got ${type}.`;
  const problem = `its body is not JSON but ${what}`;
  return protocolError(origin, status, { code: "not_json", problem, hint: basePathHint(service) ?? hint });
}

/**
 * Adds to the error for a refusal what its body shows if it is a web page: the service itself answers in JSON. Pages about a
 * gateway that failed (5xx) add nothing.
 */
export function withWebPage(error: ApiError, service: URL, received: OtherBody, redact: Origin["redact"]): ApiError {
  const page = (error.status ?? 500) < 500 ? readPage(received, redact) : undefined;
  if (page === undefined) return error;
  const message = page.title === "" ? error.message : `${error.message} with the web page ${quoted(page.title)}`;
  const hint = error.kind === "not_found" ? basePathHint(service) : page.isLogin ? LOGIN_HINT : undefined;
  return withFields(error, { message, hint: hint ?? error.hint });
}

/** Paths of redirects that lead to a login. */
const LOGIN_PATH =
  /\/(?:login|log-in|signin|sign-in|sign_in|sso|saml2?|oauth2?|openid|oidc|adfs|cas|cdn-cgi\/access)(?=\/|$)/iu;

/**
 * The error for a redirect. Redirects are not followed, because the key must not go to another host.
 *
 * @param location the header of this name
 */
export function redirectError(origin: Origin, service: URL, status: number, location: string | undefined): ApiError {
  const to =
    location !== undefined && URL.canParse(location, service.href) ? new URL(location, service.href) : undefined;
  const problem = (target: string): string => `driftline does not follow redirects, and this one leads to ${target}`;
  const fail = (target: string, hint: string): ApiError =>
    protocolError(origin, status, { code: "redirect", problem: problem(target), hint: basePathHint(service) ?? hint });
  if (to === undefined) return fail("an unreadable address", "Check the URL of the service, and any proxy before it.");
  // Only protocol and host, because the path and the query may contain credentials. The words for a login contain none.
  const target = origin.redact(`${to.protocol}//${to.host}`);
  const [login] = LOGIN_PATH.exec(to.pathname) ?? [];
  if (login !== undefined) return fail(`${target}${login.toLowerCase()}`, LOGIN_HINT);
  if (to.origin === service.origin)
    return fail("another path of the same service", "Check the path in the URL, and any proxy before the service.");
  // Another host is no advice: the one who answers would choose where the key goes.
  return fail(
    target,
    to.hostname === service.hostname
      ? `If that is the service, use it as the URL: ${target}`
      : "Check the URL of the service, and any proxy before it.",
  );
}

/** What people copy from the address bar or from examples of the interface, with the number that follows. */
const INTERFACE_PATH =
  /\/(?:api|projects?|organizations?|login|signup|settings|insights?|dashboards?)(?:\/\d+)?(?=\/|$)/u;

/**
 * The hint for a base URL with a path that belongs to the interface or to the web interface; undefined for others. A service may
 * lie under such a path, so this is only a hint for requests that failed.
 */
export function basePathHint({ origin, pathname }: URL): string | undefined {
  const found = INTERFACE_PATH.exec(pathname);
  if (found === null) return undefined;
  return `Leave out ${found[0]} in the URL of the service: ${origin}${pathname.slice(0, found.index)}`;
}
