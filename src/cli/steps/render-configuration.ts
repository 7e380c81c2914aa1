import { dirname, resolve } from "node:path";
import type { ExportSnapshot } from "../../engine/export/export.ts";
import { exportConfiguration } from "../../export/export.ts";
import type { ExportOptions } from "../../export/types.ts";
import type { Runtime } from "../runtime.ts";
import { schemaFor } from "./package.ts";

/** How a configuration is rendered, and the folder that it is for. */
type ConfigurationForm = Partial<Pick<ExportOptions, "ids" | "allFields" | "exclusive" | "layout">> & {
  readonly folder?: string | undefined;
};

/** Renders live organizations as the files of a configuration: by default as `export --out` does. */
export function renderConfiguration(
  { cwd, redactor }: Pick<Runtime, "cwd" | "redactor">,
  organizations: ExportSnapshot["organizations"],
  { ids = true, allFields, exclusive, layout = "tree", folder = "" }: ConfigurationForm = {},
): ReturnType<typeof exportConfiguration> {
  const schema = (file: string): string | undefined => schemaFor(resolve(cwd, folder, dirname(file)));
  return exportConfiguration(organizations, { ids, allFields, exclusive, layout, schema, isSecret: redactor.holds });
}
