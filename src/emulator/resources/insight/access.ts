import { defineTable, type Id, type Row } from "../../store/table.ts";
import { denied } from "../../http/errors.ts";
import { ensureUser } from "../../records/user.ts";
import { insightTable, type Insight } from "./record.ts";
import type { Authenticated } from "../../http/call.ts";
import type { Service } from "../../service.ts";

/** What a user may do with an insight: nothing at all, or everything. */
export type AccessLevel = "none" | "editor";

/** An insight that a user may not see. */
interface HiddenInsight extends Row {
  /** The ids of the user and the insight. */
  readonly id: string;
}

const hiddenTable = defineTable<HiddenInsight>(() => "all");

/** Gives a user access to an insight, or takes it away. @throws Error if there is no such insight */
export function setAccess(service: Service, insight: Id, email: string, level: AccessLevel): void {
  if (insightTable(service).get(insight) === undefined) throw new Error(`There is no insight "${insight}".`);
  const id = hiddenId(ensureUser(service, { email }).id, insight);
  if (level === "none") hiddenTable(service).put({ id });
  else hiddenTable(service).remove(id);
}

/** The insights that the caller may see: the same list if nothing is hidden. Only deployed servers have access control of objects. */
export function visibleTo(call: Authenticated, rows: readonly Insight[]): readonly Insight[] {
  const isOpen = !call.service.isRealServer || hiddenTable(call.service).all().length === 0;
  return isOpen ? rows : rows.filter((row) => mayView(call, row));
}

function mayView({ service, user }: Authenticated, { id }: Insight): boolean {
  return hiddenTable(service).get(hiddenId(user.id, id)) === undefined;
}

/** @throws ApiError 403 if the caller may not see an insight. A read of a deleted one is 404 for everybody */
export function requireAccess(call: Authenticated, row: Insight): void {
  const isRead = call.method === "GET";
  if (!call.service.isRealServer || mayView(call, row) || (row.deleted && isRead)) return;
  throw denied(`You do not have ${isRead ? "viewer" : "editor"} access to this resource.`);
}

function hiddenId(user: Id, insight: Id): string {
  return `${user}/${insight}`;
}
