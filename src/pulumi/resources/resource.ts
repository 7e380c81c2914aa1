import {
  CustomResource,
  mergeOptions,
  secret,
  type CustomResourceOptions,
  type ID,
  type Input,
  type Inputs,
  output,
  Output,
} from "@pulumi/pulumi";
import { pulumiProperties } from "../../generated/pulumi.ts";
import type { KindName } from "../../model/kind-name.ts";
import { EXTRA_PROPERTY } from "../../model/extra-fields.ts";
import { mapValues } from "../../model/json/object.ts";
import { isSecretName } from "../../model/secret-values.ts";
import { identityOf, packagedType } from "../properties/provider-text.ts";
import type { ArgumentsOf, OutputsOf } from "./types.ts";

/** Properties of a registered resource. */
type Outputs<T> = { readonly [K in keyof T]-?: Output<T[K]> };

/** The scope of an object that is looked up. */
export interface LookupScope {
  readonly organizationId?: Input<string> | undefined;
  readonly projectId?: Input<string | number> | undefined;
}

/** The class of the resources of one kind. */
export interface KindClass<Kind extends KindName> extends Pick<typeof CustomResource, "isInstance"> {
  new (
    name: string,
    args: ArgumentsOf[Kind],
    options?: CustomResourceOptions,
  ): CustomResource & Outputs<OutputsOf[Kind]>;

  /**
   * Looks up an object that somebody else manages, by its id (for a membership: the e-mail) and its scope. driftline
   * never writes to it. Its outputs are all the fields that the service shows.
   *
   * @example
   * const corp = Domain.get("corp", "0190aa11-0000-4000-8000-00000000000c", { organizationId });
   */
  get<T>(
    this: ResourceClass<T>,
    name: string,
    id: Input<ID>,
    scope: Pick<LookupScope, keyof LookupScope & keyof OutputsOf[Kind]>,
    options?: CustomResourceOptions,
  ): T;
}

/** A resource class whose arguments are checked elsewhere. */
export type ResourceClass<T = CustomResource> = new (name: string, args: never, options?: CustomResourceOptions) => T;

/** The resource classes of a module, such as `driftline/pulumi`, by kind. */
export function classesByKind(module: object): (kind: KindName) => ResourceClass {
  const classes = new Map<string, ResourceClass>(Object.entries(module));
  return (kind) => classes.get(pulumiProperties[kind].title) as ResourceClass;
}

/**
 * The class of a kind that Pulumi's stock process of dynamic providers manages. No function is serialised: the state holds
 * a constant text that loads `driftline/dynamic`.
 */
export function dynamicClass<Kind extends KindName>(kind: Kind): KindClass<Kind> {
  const { title } = pulumiProperties[kind];
  const { type, text } = identityOf(title);
  const props = (options: CustomResourceOptions = {}): Inputs => {
    if (options.import !== undefined) throw new Error(importRefusal(title));
    return { __provider: text };
  };
  return kindClass(kind, { type, props });
}

/** The class of a kind that driftline's own provider manages. The alias takes over the state of a dynamic resource. */
export function packagedClass<Kind extends KindName>(kind: Kind): KindClass<Kind> {
  const { title } = pulumiProperties[kind];
  return kindClass(kind, { type: packagedType(title), options: { aliases: [{ type: identityOf(title).type }] } });
}

/** The engine has no text of a provider that it could ask for the object. */
function importRefusal(title: string): string {
  return `driftline: the option import does not work for a dynamic ${title}. Remove it, and set adopt to the id, or to true, among its arguments`;
}

/** What the engine knows a resource by. */
interface Identity {
  readonly type: string;
  /** Properties beside those of the kind, as they are when a resource is made. */
  readonly props?: (options?: CustomResourceOptions) => Inputs;
  readonly options?: CustomResourceOptions;
}

/** The fields that driftline has no name for. Those that sound like secrets are. */
function withSecretNames(extra: unknown): unknown {
  if (typeof extra !== "object" || extra === null || Output.isInstance(extra)) return extra;
  const fields: Readonly<Record<string, unknown>> = { ...extra };
  return mapValues(fields, (value, name) => (isSecretName(name) ? secret(value) : value));
}

/**
 * The properties that a resource has outputs of. Each costs the program four promises, so those are left out that can have no value: the
 * provider returns what is declared and what is computed. If an object is looked up or imported, or changes are ignored, it returns more.
 */
function namesOf(kind: KindName, options: CustomResourceOptions = {}): readonly string[] {
  const { outputs } = pulumiProperties[kind];
  const isMore = options.id !== undefined || options.import !== undefined || options.ignoreChanges !== undefined;
  return isMore ? allNames(kind) : Object.keys(outputs);
}

function allNames(kind: KindName): readonly string[] {
  const { scope, inputs, outputs } = pulumiProperties[kind];
  return [...scope, ...Object.keys(inputs), EXTRA_PROPERTY, ...Object.keys(outputs)];
}

/** Gives the objects of a class an output without a value for each property that they do not set themselves. */
function withEmptyOutputs(prototype: object, names: readonly string[]): void {
  for (const name of names)
    Object.defineProperty(prototype, name, {
      get: () => output(undefined),
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
    });
}

function kindClass<Kind extends KindName>(kind: Kind, identity: Identity): KindClass<Kind> {
  const { secrets } = pulumiProperties[kind];
  class KindResource extends CustomResource {
    static get(name: string, id: Input<ID>, scope: LookupScope, options?: CustomResourceOptions): CustomResource {
      return new this(name, scope, { ...options, id });
    }

    constructor(name: string, args: object, options?: CustomResourceOptions) {
      const given: Inputs = { ...args };
      // The state holds the inputs as well, so they are secret too.
      const hidden = secrets.flatMap((field) =>
        given[field] === undefined ? [] : [[field, secret(given[field])] as const],
      );
      const extra = given[EXTRA_PROPERTY];
      if (extra !== undefined) given[EXTRA_PROPERTY] = withSecretNames(extra);
      // An undefined property is not sent.
      const computed = Object.fromEntries(namesOf(kind, options).map((computedName) => [computedName, undefined]));
      const props = { ...computed, ...given, ...Object.fromEntries(hidden), ...identity.props?.(options) };
      // The old object has to go before a new one can take its natural key.
      const standard = { deleteBeforeReplace: true, additionalSecretOutputs: [...secrets], ...identity.options };
      super(identity.type, name, props, mergeOptions(standard, options));
    }
  }
  withEmptyOutputs(KindResource.prototype, allNames(kind));
  // The engine's SDK sets the outputs when an object is made.
  return KindResource as unknown as KindClass<Kind>;
}
