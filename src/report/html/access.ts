import { ACCESS_COLUMNS, type AccessDocument, type AccessPerson } from "../../model/access.ts";
import { accessCells, accessLead, accessSections, accessTitle, dayOf } from "../access.ts";
import { htmlDocument } from "./document.ts";
import { pageHeader } from "./header.ts";
import { markup, type Markup } from "./markup.ts";
import { timeText } from "../time.ts";
import { errorSection, listSection } from "./sections.ts";
import { tableOf } from "./table.ts";

/** What a review asks first stands beside the person. The other columns follow in the order of the CSV file. */
const FIRST: readonly (keyof AccessPerson)[] = ["person", "level", "second_factor", "address_domain"];
const rank = (field: keyof AccessPerson): number => [...FIRST, field].indexOf(field);
const COLUMNS = ACCESS_COLUMNS.toSorted((a, b) => rank(a.field) - rank(b.field));

/** Who has access, as one HTML file. */
export function accessHtml(document: AccessDocument): string {
  const { people, url, organization, made_at: madeAt, since, tool_version: version, diagnostics } = document;
  const head = [...COLUMNS.map((column) => column.title), ...(since === null ? [] : ["changed"])];
  const title = accessTitle(document);
  const facts = [
    ["Service", markup`<code>${url}</code>`],
    ["Organization", markup`<code>${organization.id}</code>`],
    ["Made", timeText(madeAt)],
    ["Changes since", since ?? undefined],
    ["Version", `driftline ${version}`],
  ] as const;
  const lead = accessLead(document).map((text) => markup`<p>${text}</p>`);
  const sections = accessSections(people).map(({ title: what, people: found }, index) =>
    listSection(
      `people-${String(index)}`,
      `${what} (${String(found.length)})`,
      tableOf(head, found.map(personRow)),
      "open",
    ),
  );
  const body = markup`${pageHeader("Access review", title, [], facts)}<main>
${errorSection(diagnostics)}<section id="changes" aria-labelledby="people"><h2 id="people">People</h2>${lead}</section>
${sections}</main>`;
  return htmlDocument(title, body);
}

function personRow(one: AccessPerson): Markup {
  const file = one.declared_in?.replace(/^.*\//su, "") ?? null;
  const [person = "", ...cells] = accessCells({ ...one, declared_in: file }, COLUMNS).map(dayOf);
  return markup`<tr><td><code>${person}</code></td>${cells.map((text) => markup`<td>${text}</td>`)}</tr>`;
}
