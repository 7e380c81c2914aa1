import type { Redactor } from "../../../api/redact/redact.ts";
import type { PersonsPart } from "../../../engine/accept/by-person.ts";
import type { CommitContent } from "../../../git/commit.ts";
import { pathText } from "../../../model/pointer.ts";
import { sanitize } from "../../../model/text/quote.ts";

/** The commit of what one person has changed. */
export function contentOf(
  { by, at, edits, files }: PersonsPart,
  { nameOf, redactor }: { readonly nameOf: (path: string) => string; readonly redactor: Redactor },
): CommitContent {
  const changes = [...new Set(edits.map(({ source }) => source.change))];
  const lines = changes.map((change) => {
    const editsOfChange = edits.filter(({ source }) => source.change === change);
    const paths = editsOfChange.flatMap(({ source }) => (source.type === "field" ? pathText(source.path) : []));
    const modified = change.work?.live?.modified;
    const when = [withoutFraction(modified?.at) ?? [], modified?.client === undefined ? [] : `with ${modified.client}`]
      .flat()
      .join(", ");
    const [added] = editsOfChange.flatMap(({ source }) => (source.type === "addition" ? source.added : []));
    const whole = added === undefined ? "deleted on the service" : "created on the service";
    const what = paths.length === 0 ? whole : paths.join(", ");
    return `- ${sanitize(`${added ?? change.address}: ${what}${when === "" ? "" : ` (${when})`}`)}\n`;
  });
  const author = by !== undefined && ADDRESS.test(by) ? `Co-authored-by: ${by} <${by}>\n` : "";
  const subject = by === undefined ? "Accept what was changed on the service" : `Accept what ${sanitize(by)} changed`;
  const message = `${subject}\n\n${lines.join("")}\n${author}`;
  return {
    message: redactor.text(message),
    date: withoutFraction(at),
    files: files.map(({ path, after }) => ({ path: nameOf(path), text: after })),
  };
}

/** What git takes for an address. A service may have people without a domain of their own. */
const ADDRESS = /^[^\s<>@]+@[^\s<>@]+$/u;

/** A time to the second. */
function withoutFraction(time: string | null | undefined): string | undefined {
  return time?.replace(/\.\d+/u, "");
}
