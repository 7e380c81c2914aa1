import { dirname, resolve } from "node:path";
import type { ExportSnapshot } from "../../engine/export/export.ts";
import { alreadySet } from "../../engine/import/needed-secrets.ts";
import { exportConfiguration } from "../../export/export.ts";
import type { ExportOptions } from "../../export/types.ts";
import type { Runtime } from "../runtime.ts";
import { schemaFor } from "../program/package.ts";

/** How a configuration is rendered, and the folder that it is for. */
type ConfigurationForm = Partial<
  Pick<ExportOptions, "ids" | "idsAsVariables" | "allFields" | "exclusive" | "layout" | "split">
> & { readonly folder?: string | undefined };

/** Renders live organizations as the files of a configuration: by default as `export --out` does. */
export function renderConfiguration(
  { cwd, env, redactor }: Pick<Runtime, "cwd" | "env" | "redactor">,
  { organizations, pageOf }: Pick<ExportSnapshot, "organizations" | "pageOf">,
  { folder = "", ...form }: ConfigurationForm = {},
): ReturnType<typeof exportConfiguration> {
  const schema = (file: string): string | undefined => schemaFor(resolve(cwd, folder, dirname(file)));
  const standard = { ids: true, layout: "tree" } as const;
  const result = exportConfiguration(organizations, { ...standard, ...form, schema, pageOf, isSecret: redactor.holds });
  return { ...result, diagnostics: [...result.diagnostics, ...alreadySet(result.summary.secrets, env)] };
}
