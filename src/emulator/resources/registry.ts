import { alert } from "./alert.ts";
import { batchExport } from "./batch-export/resource.ts";
import { domain } from "./domain/resource.ts";
import { event } from "./event.ts";
import { eventSeries } from "./event-series.ts";
import { insight } from "./insight/resource.ts";
import { identityProviderConfig } from "./identity-provider-config/resource.ts";
import { integration } from "./integration.ts";
import { invite } from "./invite/resource.ts";
import { media } from "./media.ts";
import { member } from "./member/resource.ts";
import { organization } from "./organization/resource.ts";
import { pipelineDestination, pipelineFrontendApp, pipelineImportApp } from "./plugin/resource.ts";
import { queryResult } from "./query/resource.ts";
import { project } from "./project/resource.ts";
import type { ResourceDefinition } from "../resource.ts";

/**
 * Every resource of the emulator. The routes, the kinds of the control interface, the lists of a seed and the dump are
 * derived from this list, in its order. A new resource needs one file and one entry here.
 */
export const RESOURCES = [
  organization,
  project,
  domain,
  identityProviderConfig,
  media,
  invite,
  member,
  integration,
  batchExport,
  pipelineDestination,
  pipelineFrontendApp,
  pipelineImportApp,
  insight,
  alert,
  event,
  eventSeries,
  queryResult,
] as const satisfies readonly ResourceDefinition[];

/** One of the definitions. */
export type RegisteredResource = (typeof RESOURCES)[number];

/** The kinds of objects that the control interface can read and change. */
export type EmulatedKind = Extract<RegisteredResource, { readonly controlled: true }>["name"];
