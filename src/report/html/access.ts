import { ACCESS_COLUMNS, type AccessDocument, type AccessPerson } from "../../model/access.ts";
import { accessCells, accessLead, accessTitle } from "../access.ts";
import { htmlDocument } from "./document.ts";
import { pageHeader } from "./header.ts";
import { markup, type Markup } from "./markup.ts";
import { timeText } from "../time.ts";
import { errorSection } from "./sections.ts";
import { tableOf } from "./table.ts";

/** Who has access, as one HTML file. */
export function accessHtml(document: AccessDocument): string {
  const { people, url, organization, made_at: madeAt, since, tool_version: version, diagnostics } = document;
  const head = [...ACCESS_COLUMNS.map((column) => column.title), ...(since === null ? [] : ["changed"])];
  const title = accessTitle(document);
  const facts = [
    ["Service", markup`<code>${url}</code>`],
    ["Organization", markup`<code>${organization.id}</code>`],
    ["Made", markup`${timeText(madeAt)}`],
    ...(since === null ? [] : [["Changes since", markup`${since}`] as const]),
    ["Version", markup`driftline ${version}`],
  ] as const;
  const lead = accessLead(document).map((text) => markup`<p>${text}</p>`);
  const body = markup`${pageHeader("Access review", title, [], facts)}<main>
${errorSection(diagnostics)}<section id="changes" aria-labelledby="people"><h2 id="people">People</h2>${lead}${tableOf(head, people.map(personRow))}</section>
</main>`;
  return htmlDocument(title, body);
}

function personRow(one: AccessPerson): Markup {
  const [person = "", ...cells] = accessCells(one);
  return markup`<tr><td><code>${person}</code></td>${cells.map((text) => markup`<td>${text}</td>`)}</tr>`;
}
