export { exportConfiguration } from "./export.ts";
export { schemaLine } from "./document.ts";
export { exportProgram } from "./pulumi/export.ts";
export type { ProgramOptions } from "./pulumi/export.ts";
export type { PackageSource } from "./pulumi/project.ts";
export { pinValue } from "./identity.ts";
export { toSchemaType } from "./free-form.ts";
export { invalidFields } from "./invalid-fields.ts";
export type { ExportFile, ExportOptions, ExportOrganization, ExportResult, ExportSummary, Lists } from "./types.ts";
