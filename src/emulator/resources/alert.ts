import { defineResource } from "../resource.ts";
import { defineTable, type Row } from "../store/table.ts";
import { teamOf, textId } from "./scope.ts";
import type { Service } from "../service.ts";

/** An alert of an insight. */
export interface Alert extends Row {
  readonly id: string;
  readonly team_id: number;
  readonly insight: number;
  readonly name: string;
  readonly enabled: boolean;
}

const alertTable = defineTable<Alert>((row) => row.team_id);

/** Lists the alerts of an insight as the service shows them. */
export function alertsOf(service: Service, team: number, insight: number): readonly object[] {
  const mine = alertTable(service)
    .within(team)
    .filter((row) => row.insight === insight);
  return mine.map(({ team_id: _team, overrides, ...fields }) => ({ ...fields, ...overrides }));
}

/** Destroys the alerts of an insight for good. */
export function destroyAlerts(service: Service, team: number, insight: number): void {
  for (const row of alertTable(service).within(team)) {
    if (row.insight === insight) alertTable(service).remove(row.id);
  }
}

/** The alerts of a project. They have no route here. Seeds and the control interface add them. */
export const alert = defineResource({
  name: "alert",
  table: alertTable,
  livesIn: "project",
  controlled: true,
  insert: (service, scope, values) =>
    alertTable(service).put({
      id: service.ids.uuid(),
      ...textId(values),
      team_id: teamOf(service, scope).id,
      insight: 0,
      name: "",
      enabled: true,
    }),
  seed: { list: "alerts", within: ["project"], needed: [] },
});
