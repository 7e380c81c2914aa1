import type { EmulatedKind, StoredObject } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/emulator/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import { SEED } from "../../support/workspace.ts";

/** The life of one resource of a stack: how it is declared, how each field is changed, what others do to it. */
export interface Life {
  readonly kind: KindName;
  readonly type: string;
  readonly stored: EmulatedKind;
  readonly create: JsonObject;
  /** The next value of each field, one after the other. */
  readonly changes: JsonObject;
  /** Fields whose change is another object. */
  readonly replaces?: readonly string[];
  /** Fields that no change is made of, with the reason. */
  readonly not?: JsonObject;
  readonly edit: { readonly field: string; readonly property: string; readonly value: unknown };
  readonly find: (object: StoredObject) => boolean;
}

export const ACME = SEED.organizations[0]?.id ?? "";

const byName =
  (...names: readonly string[]) =>
  (object: StoredObject): boolean =>
    names.includes(String(object["name"])) && object["deleted"] !== true;
const isFor = (email: string) => (object: StoredObject) => JSON.stringify(object).includes(email);

const exportLife = (place: JsonObject, name: string): Life => ({
  kind: "batch_export",
  type: "BatchExport",
  stored: "batch_export",
  create: {
    ...place,
    name,
    interval: "hour",
    destination: {
      type: "S3",
      config: { bucket_name: "b", region: "eu", prefix: "e/", aws_secret_access_key: "hush-hush-42" },
    },
  },
  changes: {
    name: `${name} 2`,
    model: "persons",
    interval: "day",
    paused: true,
    lastPausedAt: "2024-01-02T03:04:05Z",
    startAt: "2024-01-01T00:00:00Z",
    endAt: "2025-01-01T00:00:00Z",
    hogqlQuery: "select 1",
    destination: {
      type: "S3",
      config: { bucket_name: "b", region: "us", prefix: "e/", aws_secret_access_key: "hush-hush-43" },
    },
  },
  edit: { field: "interval", property: "interval", value: "week" },
  find: byName(name, `${name} 2`),
});

const pluginLife = (
  kind: "pipeline_destination" | "pipeline_frontend_app" | "pipeline_import_app",
  type: string,
): Life => ({
  kind,
  type,
  stored: kind,
  create: { organizationId: ACME, name: type, pluginType: "source" },
  changes: {
    name: `${type} 2`,
    pluginType: "custom",
    description: "where things go",
    icon: "https://icons.example/sink.png",
    configSchema: [{ key: "host", type: "string" }],
    tag: "1.2.3",
    isGlobal: true,
    capabilities: { methods: ["onEvent"] },
    metrics: { sent: "sum" },
    publicJobs: { flush: {} },
  },
  not: { url: "another url is another plugin" },
  edit: { field: "description", property: "description", value: "edited" },
  find: byName(type, `${type} 2`),
});

/** One resource of every kind, by its name in the program. */
export const lives: Readonly<Record<string, Life>> = {
  beta: {
    kind: "organization",
    type: "Organization",
    stored: "organization",
    create: { name: "Beta" },
    changes: { name: "Beta Corp", isMemberJoinEmailEnabled: false, enforce2fa: true },
    edit: { field: "enforce_2fa", property: "enforce2fa", value: null },
    find: byName("Beta", "Beta Corp"),
  },
  corp: {
    kind: "domain",
    type: "Domain",
    stored: "domain",
    create: { organizationId: "${beta.id}", domain: "acme.com" },
    changes: {
      domain: "acme.org",
      jitProvisioningEnabled: true,
      ssoEnforcement: "saml",
      samlEntityId: "urn:acme",
      samlAcsUrl: "https://acme.com/acs",
      samlX509Cert: "MIIB",
    },
    edit: { field: "saml_entity_id", property: "samlEntityId", value: "urn:other" },
    find: () => true,
  },
  carol: {
    kind: "invite",
    type: "Invite",
    stored: "invite",
    create: { organizationId: ACME, targetEmail: "carol@acme.com" },
    changes: { targetEmail: "carol2@acme.com", firstName: "Carol", level: 8, message: "Welcome" },
    replaces: ["targetEmail", "firstName", "level", "message"],
    edit: { field: "level", property: "level", value: 1 },
    find: isFor("carol"),
  },
  bob: {
    kind: "member",
    type: "Member",
    stored: "member",
    create: { organizationId: ACME, email: "bob@acme.com", level: 1 },
    changes: { level: 8 },
    edit: { field: "level", property: "level", value: 1 },
    find: isFor("bob@acme.com"),
  },
  eve: {
    kind: "membership",
    type: "Membership",
    stored: "invite",
    create: { organizationId: ACME, email: "eve@acme.com", level: 1 },
    changes: { level: 8 },
    edit: { field: "level", property: "level", value: 1 },
    find: isFor("eve@acme.com"),
  },
  events: exportLife({ organizationId: ACME }, "Events"),
  persons: exportLife({ projectId: 2 }, "Persons"),
  sink: pluginLife("pipeline_destination", "PipelineDestination"),
  app: pluginLife("pipeline_frontend_app", "PipelineFrontendApp"),
  source: pluginLife("pipeline_import_app", "PipelineImportApp"),
  signups: {
    kind: "insight",
    type: "Insight",
    stored: "insight",
    create: { projectId: 2, name: "Signups" },
    changes: {
      name: "Sign-ups",
      derivedName: "derived",
      filters: { events: [{ id: "a" }] },
      query: { kind: "TrendsQuery", series: [{ event: "a" }] },
      order: 3,
      dashboards: [7],
      description: "New accounts",
      tags: ["growth"],
      favorited: true,
      saved: true,
    },
    edit: { field: "description", property: "description", value: "edited" },
    find: byName("Signups", "Sign-ups"),
  },
};

/**
 * The same on a deployed server: exports are written on their project's route, domains are verified before some of their fields
 * can be set, and what a plugin is able to do decides on its group.
 */
export function deployedLives(): Readonly<Record<string, Life>> {
  const { events: _events, ...others } = lives;
  const can = (life: Life | undefined, capabilities: JsonObject): Record<string, Life> =>
    life === undefined
      ? {}
      : {
          [life.type]: {
            ...life,
            create: { ...life.create, capabilities },
            changes: { ...life.changes, capabilities },
          },
        };
  const { sink, app, source, ...rest } = others;
  return {
    ...rest,
    ...can(sink, { methods: ["onEvent"] }),
    ...can(app, {}),
    ...can(source, { scheduled_tasks: ["runEveryHour"] }),
  };
}
