/**
 * What `pulumi convert --from terraform` asks for: the resources of PostHog's Terraform provider that driftline has as well, in
 * the form of Pulumi's Terraform bridge.
 *
 * Premise: the converter renames what a configuration says, and computes nothing. So a resource is here only if renaming is enough,
 * or if the provider's check then says what is missing.
 *
 * For a Terraform state it takes only the type from here. It passes on the attribute `id`, and refuses one that is no text before it
 * asks for the mapping, so nothing here can help with the numbers of insights. Source: `TranslateState` in its `tf_state.go`.
 */
import { version } from "../../generated/version.ts";
import type { JsonObject } from "../../model/json.ts";
import { packagedType } from "../properties/provider-text.ts";

/** The ecosystem that the mapping is for, and the provider in it. */
const KEY = "terraform";
export const PROVIDER = "posthog";

/** The numbers of the bridge for the types of Terraform. */
const TYPES = { boolean: 1, integer: 2, string: 4, set: 7 } as const;

/** An attribute of Terraform: its type, its name in driftline, and whether it has to be given. */
interface Attribute {
  readonly type: "boolean" | "integer" | "string" | "integers" | "strings";
  readonly name: string;
  readonly use?: "required" | "computed";
}

type Attributes = Readonly<Record<string, Attribute>>;

const CONFIG: Attributes = {
  host: { type: "string", name: "url" },
  api_key: { type: "string", name: "apiKey" },
};

const RESOURCES: Readonly<Record<string, { readonly title: string; readonly attributes: Attributes }>> = {
  posthog_insight: {
    title: "Insight",
    attributes: {
      project_id: { type: "string", name: "projectId" },
      name: { type: "string", name: "name" },
      derived_name: { type: "string", name: "derivedName" },
      description: { type: "string", name: "description" },
      // A JSON text, which an input of this name may be.
      query_json: { type: "string", name: "query", use: "required" },
      tags: { type: "strings", name: "tags" },
      create_in_folder: { type: "string", name: "CreateInFolder" },
      dashboard_ids: { type: "integers", name: "dashboards" },
      deleted: { type: "boolean", name: "deleted" },
    },
  },
  posthog_organization_member: {
    title: "Member",
    attributes: {
      organization_id: { type: "string", name: "organizationId" },
      // There a member is named by this id, which driftline has no input for: the check then asks for the e-mail.
      user_uuid: { type: "string", name: "userUuid", use: "required" },
      level: { type: "string", name: "level" },
      retain_on_destroy: { type: "boolean", name: "retainOnDestroy" },
      email: { type: "string", name: "email", use: "computed" },
    },
  },
};

/** The providers of an ecosystem that there is a mapping for. */
export function mappedProviders(key: string): readonly string[] {
  return key === KEY ? [PROVIDER] : [];
}

/**
 * The mapping of a provider of an ecosystem. The converter asks without a name if it knows none.
 *
 * @returns undefined if there is none
 */
export function mappingOf(
  key: string,
  provider: string,
): { readonly provider: string; readonly mapping: JsonObject } | undefined {
  if (key !== KEY || (provider !== "" && provider !== PROVIDER)) return undefined;
  return { provider: PROVIDER, mapping: terraformMapping() };
}

/** The mapping of the only provider. */
export function terraformMapping(): JsonObject {
  const resources = Object.entries(RESOURCES);
  return {
    name: "driftline",
    version,
    provider: {
      schema: schemaOf(CONFIG),
      resources: Object.fromEntries(resources.map(([name, { attributes }]) => [name, schemaOf(attributes)])),
    },
    config: namesOf(CONFIG),
    resources: Object.fromEntries(
      resources.map(([name, { title, attributes }]) => [
        name,
        { tok: packagedType(title), fields: namesOf(attributes), idFields: [] },
      ]),
    ),
  };
}

function schemaOf(attributes: Attributes): JsonObject {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { type, use }]) => [
      name,
      { ...typeOf(type), [use ?? "optional"]: true, ...(name === "api_key" ? { sensitive: true } : {}) },
    ]),
  );
}

function typeOf(type: Attribute["type"]): JsonObject {
  if (type === "integers" || type === "strings")
    return { type: TYPES.set, element: { schema: { type: type === "integers" ? TYPES.integer : TYPES.string } } };
  return { type: TYPES[type] };
}

function namesOf(attributes: Attributes): JsonObject {
  return Object.fromEntries(Object.entries(attributes).map(([attribute, { name }]) => [attribute, { name }]));
}
