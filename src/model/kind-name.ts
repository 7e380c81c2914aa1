/** The kinds of resources, by the word used in machine output and schemas. */
export type KindName =
  | "organization"
  | "domain"
  | "invite"
  | "member"
  | "membership"
  | "batch_export"
  | "pipeline_destination"
  | "pipeline_frontend_app"
  | "pipeline_import_app"
  | "insight";
