import { markup, type Markup } from "./markup.ts";

/** The table scrolls by itself on a narrow page, with the keyboard as well. */
export function tableOf(head: readonly string[], rows: readonly Markup[]): Markup {
  const cells = head.map((text) => markup`<th scope="col">${text}</th>`);
  return markup`<div class="scroll" tabindex="0" role="group" aria-label="${head.join(", ")}"><table><thead><tr>${cells}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
