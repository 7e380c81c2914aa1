/** What a block of changes is about, in Markdown. */
import type { ShownGroup, GroupMember } from "../change-groups.ts";
import { code, details, linked, prose } from "./markdown.ts";

/** The object of a change with its kind, or how many objects there are, and where. */
export function objectText({ subject, name, link, place, kind, members }: ShownGroup): string {
  if (members.length === 0) return `${objectLink(subject, name, link)} (${prose(kind)})`;
  return prose(subject) + (place === "" ? "" : ` in ${code(place, Infinity)}`);
}

/** More names are folded: in a comment they would be a wall. */
const MAX_OPEN = 20;

/** The objects of several changes; "" for a single one. */
export function membersText(members: readonly GroupMember[]): string {
  const texts = members.map(
    ({ address, name, link, note }) => objectLink(address, name, link) + (note === "" ? "" : ` (${prose(note)})`),
  );
  const text = texts.join(", ");
  return texts.length > MAX_OPEN ? details(`all ${String(texts.length)}`, text) : text;
}

/** The address, followed by the object's name if the address does not say it. */
export function objectLink(address: string, name: string, link: string | undefined): string {
  return linked(code(address, Infinity), link) + (name === "" ? "" : ` ${prose(name)}`);
}
