import { secret, type CustomResourceOptions } from "@pulumi/pulumi";
import { resolveSecret } from "../config/index.ts";
import { pulumiProperties } from "../generated/pulumi.ts";
import { kinds } from "../kinds/registry.ts";
import { isValueObject, Secret, type Value, type ValueObject } from "../model/json.ts";
import type { DesiredGraph, Resource } from "../model/resource.ts";
import { classes } from "./classes.ts";
import type { DriftlineResource } from "./resources/resource.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Registers everything that a configuration declares, under its addresses. What is declared absent is not registered, so that
 * Pulumi removes it where it had it; what is there already is taken over, as the command line does.
 *
 * @throws Error where an id is missing that only the live service knows, or a secret
 */
export function register(graph: DesiredGraph, env: Environment): void {
  const organizations = new Map<string, DriftlineResource>();
  const wanted = graph.resources.filter(({ lifecycle }) => lifecycle.state !== "absent" && lifecycle.forget !== true);
  for (const resource of wanted) {
    // With nothing but an id it is only what others live in.
    if (resource.scope === "" && Object.keys(resource.values).length === 0) continue;
    const home = organizations.get(resource.scope.split("/")[0] ?? "");
    const args = { ...argsOf(resource, env), ...placeOf(resource, graph, home), ...adoptionOf(resource) };
    const made = new classes[resource.kind](resource.address, args as never, optionsOf(resource, home));
    if (resource.scope === "") organizations.set(resource.address, made);
  }
}

function argsOf({ kind, values, name }: Resource, env: Environment): Readonly<Record<string, unknown>> {
  const entries = Object.entries(pulumiProperties[kind].inputs).flatMap(([property, field]) => {
    const value = values[field];
    return value === undefined ? [] : [[property, revealed(value, env)] as const];
  });
  return { ...Object.fromEntries(entries), ...(kinds[kind].keyedBy === undefined ? {} : { email: name }) };
}

/** The value with its secrets, which stay secrets in the state. */
function revealed(value: Value, env: Environment): unknown {
  if (value instanceof Secret) return secret(resolveSecret(value, env));
  if (Array.isArray(value)) return value.map((item: Value) => revealed(item, env));
  if (!isValueObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value satisfies ValueObject).map(([key, item]) => [key, revealed(item, env)]),
  );
}

function placeOf(
  { scope, address }: Resource,
  graph: DesiredGraph,
  home: DriftlineResource | undefined,
): Readonly<Record<string, unknown>> {
  if (scope === "") return {};
  if (scope.includes("/")) {
    const id = graph.projects.find((project) => project.address === scope)?.id;
    if (id === undefined)
      throw new Error(`${address}: project ${scope} needs its id, as a program does not ask the service for it`);
    return { projectId: id };
  }
  const pin = graph.resources.find((resource) => resource.address === scope)?.pin;
  if (home === undefined && pin === undefined)
    throw new Error(`${address}: organization ${scope} is neither declared nor pinned by its id`);
  return { organizationId: home?.id ?? pin?.value };
}

/** An organization is founded only on the word that also the command line needs. */
function adoptionOf({ kind, pin, lifecycle }: Resource): Readonly<Record<string, unknown>> {
  if (pin !== undefined) return { adopt: pin.value };
  return kinds[kind].foundational === true && lifecycle.create === true ? {} : { adopt: true };
}

function optionsOf({ kind, lifecycle }: Resource, home: DriftlineResource | undefined): CustomResourceOptions {
  const { inputs } = pulumiProperties[kind];
  const ignored = Object.entries(inputs).flatMap(([property, field]) =>
    lifecycle.ignore?.includes(field) === true ? [property] : [],
  );
  return {
    protect: lifecycle.protect ?? kinds[kind].foundational === true,
    ...(ignored.length === 0 ? {} : { ignoreChanges: ignored }),
    ...(home === undefined ? {} : { deletedWith: home }),
  };
}
