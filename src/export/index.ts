export { exportConfiguration } from "./export.ts";
export { exportProgram } from "./pulumi/export.ts";
export { refusedFields } from "./sound.ts";
export type { ExportFile, ExportOrganization, ExportResult, Lists } from "./types.ts";
