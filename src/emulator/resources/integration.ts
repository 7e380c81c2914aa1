import { defineResource } from "../resource.ts";
import { defineTable, type Row } from "../store/table.ts";
import { numberId, teamOf } from "./scope.ts";
import type { Json } from "../json.ts";

/** The access of a project to another service. It holds the credentials, which are never shown. */
export interface Integration extends Row {
  readonly id: number;
  readonly team_id: number;
  readonly kind: string;
  readonly config: Json;
}

/** The integrations, by project. */
export const integrationTable = defineTable<Integration>((row) => row.team_id);

/** The integrations of a project. They have no route here. Seeds and the control interface add them. */
export const integration = defineResource({
  name: "integration",
  table: integrationTable,
  livesIn: "project",
  controlled: true,
  insert(service, scope, values) {
    const { id = service.ids.next("integration") } = numberId(values);
    service.ids.reserve("integration", id);
    return integrationTable(service).put({ id, team_id: teamOf(service, scope).id, kind: "", config: {} });
  },
  seed: { list: "integrations", within: ["project"], needed: ["kind"], plantedFirst: true },
});
