import { kindNames, type KindName } from "../model/kind-name.ts";
import { batchExport } from "./batch-export/kind.ts";
import { domain } from "./domain/kind.ts";
import { insight } from "./insight/kind.ts";
import { invite } from "./invite/kind.ts";
import type { Kind, ScopeType } from "./kind.ts";
import { member } from "./member/kind.ts";
import { membership } from "./membership/kind.ts";
import { organization } from "./organization/kind.ts";
import { pipelineDestination, pipelineFrontendApp, pipelineImportApp } from "./plugin/kind.ts";

/** What is known of each kind. */
export const kinds: Readonly<Record<KindName, Kind>> = {
  organization,
  domain,
  membership,
  member,
  invite,
  batch_export: batchExport,
  pipeline_destination: pipelineDestination,
  pipeline_frontend_app: pipelineFrontendApp,
  pipeline_import_app: pipelineImportApp,
  insight,
};

/** Every kind, parents before children. */
export const allKinds: readonly Kind[] = kindNames.map((name) => kinds[name]);

/** The kind that is declared under a key of an organization or of a project. */
export function kindOfCollection(scope: ScopeType, collection: string): Kind | undefined {
  return allKinds.find((kind) => kind.collection === collection && kind.scopes.includes(scope));
}
