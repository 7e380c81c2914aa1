export { exportConfiguration } from "./export.ts";
export type { ExportOrganization, Lists } from "./types.ts";
