import { defineResource } from "../resource.ts";
import { defineTable, type Row } from "../store/table.ts";
import { organizationOf, textId } from "./scope.ts";

/** An uploaded picture, which can be the logo of its organization. */
export interface Media extends Row {
  readonly id: string;
  readonly organization_id: string;
}

/** The pictures, by organization. */
export const mediaTable = defineTable<Media>((row) => row.organization_id);

/** The pictures of an organization. They have no route here. Seeds and the control interface add them. */
export const media = defineResource({
  name: "media",
  table: mediaTable,
  livesIn: "organization",
  controlled: true,
  insert: (service, scope, values) =>
    mediaTable(service).put({
      id: service.ids.uuid(),
      ...textId(values),
      organization_id: organizationOf(service, scope),
    }),
});
