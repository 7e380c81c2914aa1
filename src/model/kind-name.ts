/** The kinds of resources, by the word used in machine output and schemas. Parents stand before children. */
export const kindNames = [
  "organization",
  "domain",
  "membership",
  "member",
  "invite",
  "batch_export",
  "pipeline_destination",
  "pipeline_frontend_app",
  "pipeline_import_app",
  "insight",
] as const;

export type KindName = (typeof kindNames)[number];
