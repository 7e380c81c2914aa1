import { kindNames, type KindName } from "../model/kind-name.ts";
import { batchExport } from "./batch-export.ts";
import { domain } from "./domain.ts";
import { insight } from "./insight.ts";
import { invite } from "./invite.ts";
import type { Kind, ScopeType } from "./kind.ts";
import { member } from "./member.ts";
import { membership } from "./membership.ts";
import { organization } from "./organization.ts";
import { pipelineDestination, pipelineFrontendApp, pipelineImportApp } from "./plugin.ts";

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
