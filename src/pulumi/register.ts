import { secret, type CustomResourceOptions } from "@pulumi/pulumi";
import { resolveSecret } from "../config/index.ts";
import { pulumiProperties } from "../generated/pulumi.ts";
import { kinds } from "../kinds/registry.ts";
import { isValueObject, Secret, type Value, type ValueObject } from "../model/json.ts";
import type { DesiredGraph, Resource } from "../model/resource.ts";
import { SECRET_PLACEHOLDER } from "../model/sensitive.ts";
import { classes } from "./resources/classes.ts";
import type { DriftlineResource } from "./resources/resource.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Reveal = (secret: Secret) => string;

interface RegisterOptions {
  /** Names of what the state holds: of that, what is to be forgotten stays registered, and is left as it is. */
  readonly held?: ReadonlySet<string>;
  /** Nothing will be sent: a secret that is not told counts as unchanged. */
  readonly isPreview?: boolean;
}

/**
 * Registers everything that a configuration declares, under its addresses. What is declared absent is not registered, so that
 * Pulumi removes it where it had it; what is there already is taken over, as the command line does.
 *
 * @throws Error where an id is missing that only the live service knows, or a secret
 */
export function register(
  graph: DesiredGraph,
  env: Environment,
  { held = new Set(), isPreview = false }: RegisterOptions = {},
): void {
  const reveal = (it: Secret): string => resolveSecret(it, env, isPreview ? SECRET_PLACEHOLDER : undefined);
  const wanted = graph.resources.filter((resource) => isRegistered(resource, held));
  const homes = new Set(wanted.filter(({ scope }) => scope === "").map(({ address }) => address));
  // First of all, so that nothing is made where something is missing.
  const prepared = wanted.map((resource) => ({
    resource,
    args: resource.lifecycle.forget === true ? {} : { ...argsOf(resource, reveal), ...adoptionOf(resource) },
    place: placeOf(resource, graph, homes),
  }));
  const organizations = new Map<string, DriftlineResource>();
  for (const { resource, args, place } of prepared) {
    const home = organizations.get(resource.scope.split("/")[0] ?? "");
    const inHome = home !== undefined && "organizationId" in place ? { organizationId: home.id } : {};
    const made = new classes[resource.kind](
      resource.address,
      { ...args, ...place, ...inHome } as never,
      optionsOf(resource, home),
    );
    if (resource.scope === "") organizations.set(resource.address, made);
  }
}

/** With nothing but an id an organization is only what others live in. */
function isRegistered({ scope, values, lifecycle, address }: Resource, held: ReadonlySet<string>): boolean {
  if (lifecycle.state === "absent") return false;
  if (lifecycle.forget === true) return held.has(address);
  return scope !== "" || Object.keys(values).length > 0;
}

function argsOf({ kind, values, name }: Resource, reveal: Reveal): Readonly<Record<string, unknown>> {
  const entries = Object.entries(pulumiProperties[kind].inputs).flatMap(([property, field]) => {
    const value = values[field];
    return value === undefined ? [] : [[property, revealed(value, reveal)] as const];
  });
  return { ...Object.fromEntries(entries), ...(kinds[kind].keyedBy === undefined ? {} : { email: name }) };
}

/** The value with its secrets, which stay secrets in the state. */
function revealed(value: Value, reveal: Reveal): unknown {
  if (value instanceof Secret) return secret(reveal(value));
  if (Array.isArray(value)) return value.map((item: Value) => revealed(item, reveal));
  if (!isValueObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value satisfies ValueObject).map(([key, item]) => [key, revealed(item, reveal)]),
  );
}

/** The id of an organization that is registered is only known of its resource. */
function placeOf(
  { scope, address }: Resource,
  graph: DesiredGraph,
  homes: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  if (scope === "") return {};
  if (scope.includes("/")) {
    const id = graph.projects.find((project) => project.address === scope)?.id;
    if (id === undefined)
      throw new Error(`${address}: project ${scope} needs its id, as a program does not ask the service for it`);
    return { projectId: id };
  }
  const pin = graph.resources.find((resource) => resource.address === scope)?.pin;
  if (!homes.has(scope) && pin === undefined)
    throw new Error(`${address}: organization ${scope} is neither declared nor pinned by its id`);
  return { organizationId: pin?.value };
}

/** An organization is founded only on the word that also the command line needs. */
function adoptionOf({ kind, pin, lifecycle }: Resource): Readonly<Record<string, unknown>> {
  if (pin !== undefined) return { adopt: pin.value };
  return kinds[kind].requiresExplicitCreate === true && lifecycle.create === true ? {} : { adopt: true };
}

function optionsOf({ kind, lifecycle }: Resource, home: DriftlineResource | undefined): CustomResourceOptions {
  // Unregistered, Pulumi would delete it. So it goes from the state alone, once it is no longer declared.
  if (lifecycle.forget === true) return { ignoreChanges: ["*"], retainOnDelete: true, protect: false };
  const { inputs } = pulumiProperties[kind];
  const ignored = Object.entries(inputs).flatMap(([property, field]) =>
    lifecycle.ignore?.includes(field) === true ? [property] : [],
  );
  return {
    protect: lifecycle.protect ?? kinds[kind].requiresExplicitCreate === true,
    ...(ignored.length === 0 ? {} : { ignoreChanges: ignored }),
    ...(home === undefined ? {} : { deletedWith: home }),
  };
}
