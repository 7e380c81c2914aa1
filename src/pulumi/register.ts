import { Output, secret, type CustomResource, type CustomResourceOptions } from "@pulumi/pulumi";
import { resolveSecret } from "../config/index.ts";
import type { Kind } from "../kinds/kind.ts";
import { declaredIn, isNamed } from "../kinds/reference-names.ts";
import { mapReferences, referencesIn, referringLast } from "../kinds/references.ts";
import { isKeyedByEmail, isScope, kinds } from "../kinds/registry.ts";
import type { KindName } from "../model/kind-name.ts";
import { isObject, type JsonObject, mapSecrets, type Secret } from "../model/json/json.ts";
import { mapValues } from "../model/json/object.ts";
import { pointerKeys } from "../model/pointer.ts";
import { UNKNOWN_SECRET } from "../model/secret-values.ts";
import { quoted } from "../model/text/quote.ts";
import { isWanted, type DesiredGraph, type Resource } from "../model/resource.ts";
import { propertyKeys, propertyPath, toPulumiProperties } from "./properties/properties.ts";
import * as dynamicModule from "./index.ts";
import { classesByKind, type ResourceClass } from "./resources/resource.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Reveal = (secret: Secret) => string;

interface RegisterOptions {
  /**
   * Names of the resources in the state. One that is to be forgotten stays registered if it is there, without a change.
   */
  readonly inState?: ReadonlySet<string>;
  /** Nothing will be sent, so a missing secret counts as unchanged. */
  readonly isPreview?: boolean;
  /** The class of each kind. By default those of dynamic resources. */
  readonly classOf?: (kind: KindName) => ResourceClass;
}

/**
 * Registers the declared resources under their addresses. A resource that is declared absent is not registered, so
 * Pulumi removes it if the state has it. Existing objects are adopted, as the command line does.
 *
 * @throws Error if a secret is missing, or an id that only the live service knows, or for `lifecycle.partial`
 */
export function register(
  graph: DesiredGraph,
  env: Environment,
  { inState = new Set(), isPreview = false, classOf = classesByKind(dynamicModule) }: RegisterOptions = {},
): void {
  const reveal = (value: Secret): string => resolveSecret(value, env, isPreview ? UNKNOWN_SECRET : undefined);
  const declared = graph.resources.filter((resource) => isRegistered(resource, inState));
  const wanted = referringLast(declared.map((resource) => withAddresses(resource, declared, graph)));
  const registered = new Set(wanted.filter(({ scope }) => scope === "").map(({ address }) => address));
  requireNoPartial(wanted);
  // Before any registration, so that a missing value leaves nothing half registered.
  const prepared = wanted.map((resource) => ({
    resource,
    args: resource.lifecycle.forget === true ? {} : { ...fieldArgs(resource, reveal), ...adoptArgs(resource) },
    scope: scopeArgs(resource, graph, registered),
  }));
  const organizations = new Map<string, CustomResource>();
  const ids = new Map<string, CustomResource["id"]>();
  for (const { resource, args, scope } of prepared) {
    const organization = organizations.get(resource.scope.split("/")[0] ?? "");
    const inOrganization =
      organization !== undefined && "organizationId" in scope ? { organizationId: organization.id } : {};
    const made = new (classOf(resource.kind))(
      resource.address,
      { ...withOutputs(args, outputsOf(resource, ids)), ...scope, ...inOrganization } as never,
      optionsOf(resource, organization),
    );
    ids.set(resource.address, made.id);
    if (resource.scope === "") organizations.set(resource.address, made);
  }
}

/** The resource with the addresses of what it names. @throws Error if only the service knows what a name stands for */
function withAddresses(resource: Resource, registered: readonly Resource[], graph: DesiredGraph): Resource {
  if (!isWanted(resource.lifecycle)) return resource;
  const values = mapReferences(resource.kind, resource.values, (reference) => {
    if (reference.isId) return reference.text;
    const target = declaredIn(graph, resource.scope, reference.to).find((one) => isNamed(reference, one));
    if (registered.some(({ address }) => address === target?.address)) return target?.address;
    if (target?.id !== undefined) return target.id;
    const what = `the ${reference.to} ${quoted(reference.text)} needs its id, because a program cannot look it up`;
    throw new Error(`${resource.address}: ${what}`);
  });
  return { ...resource, values };
}

type Outputs = ReadonlyMap<unknown, CustomResource["id"]>;

/** The ids of what a resource refers to, by address. */
function outputsOf({ kind, values }: Resource, ids: ReadonlyMap<string, CustomResource["id"]>): Outputs {
  const entries = referencesIn(kind, values).flatMap(({ text }) => {
    const id = ids.get(text);
    return id === undefined ? [] : [[text, id] as const];
  });
  return new Map(entries);
}

/** The arguments with the outputs of resources in the place of their addresses. */
function withOutputs<T>(value: T, ids: Outputs): T {
  if (ids.size === 0 || Output.isInstance(value)) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => withOutputs(item, ids)) as T;
  if (isObject(value)) return mapValues(value, (item) => withOutputs(item, ids)) as T;
  return (ids.get(value) ?? value) as T;
}

/** @throws Error if a resource is compared in part: a program has no such option */
function requireNoPartial(resources: readonly Resource[]): void {
  const partial = resources.find(({ lifecycle }) => lifecycle.partial !== undefined);
  if (partial === undefined) return;
  const instead = "List what others manage in lifecycle.ignore instead";
  throw new Error(`${partial.address}: lifecycle.partial has no counterpart in a Pulumi program. ${instead}`);
}

/** An organization that declares nothing but its id is only the scope of others, so it is not registered. */
function isRegistered({ scope, values, lifecycle, address }: Resource, inState: ReadonlySet<string>): boolean {
  if (lifecycle.state === "absent") return false;
  if (lifecycle.forget === true) return inState.has(address);
  return scope !== "" || Object.keys(values).length > 0;
}

function fieldArgs({ kind, values, name }: Resource, reveal: Reveal): Readonly<Record<string, unknown>> {
  // They are marked, so that they stay secret in the state.
  const revealed = mapSecrets(values, (one) => secret(reveal(one)) as never);
  return {
    ...toPulumiProperties(kinds[kind], revealed as JsonObject),
    ...(isKeyedByEmail(kind) ? { email: name } : {}),
  };
}

/** The scope as arguments. A registered organization replaces its id by the output of its resource. */
function scopeArgs(
  { scope, address }: Resource,
  graph: DesiredGraph,
  registered: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  if (scope === "") return {};
  if (scope.includes("/")) {
    const id = graph.projects.find((project) => project.address === scope)?.id;
    if (id === undefined)
      throw new Error(`${address}: project ${scope} needs its id, because a program cannot look it up`);
    return { projectId: id };
  }
  const pin = graph.resources.find((resource) => resource.address === scope)?.pin;
  if (!registered.has(scope) && pin === undefined)
    throw new Error(`${address}: organization ${scope} is neither declared nor pinned by its id`);
  return { organizationId: pin?.value };
}

/** An organization is created only with `lifecycle.create`, as on the command line. */
function adoptArgs({ kind, pin, lifecycle }: Resource): Readonly<Record<string, unknown>> {
  if (pin !== undefined) return { adopt: pin.value };
  return isScope(kinds[kind]) && lifecycle.create === true ? {} : { adopt: true };
}

function optionsOf({ kind, lifecycle }: Resource, organization: CustomResource | undefined): CustomResourceOptions {
  // If it were not registered, Pulumi would delete it. It leaves the state once it is no longer declared.
  if (lifecycle.forget === true) return { ignoreChanges: ["*"], retainOnDelete: true, protect: false };
  const ignored = (lifecycle.ignore ?? []).map((path) => ignoredPath(kinds[kind], path));
  return {
    protect: lifecycle.protect ?? isScope(kinds[kind]),
    ...(ignored.length === 0 ? {} : { ignoreChanges: ignored }),
    ...(organization === undefined ? {} : { deletedWith: organization }),
  };
}

/** A field, or a JSON Pointer into one, as a property path of Pulumi. */
function ignoredPath(kind: Kind, path: string): string {
  const [field = "", ...below] = path.startsWith("/") ? pointerKeys(path) : [path];
  return propertyPath(propertyKeys(kind, [field, ...below]));
}
