import {
  CustomResource,
  mergeOptions,
  secret,
  type CustomResourceOptions,
  type ID,
  type Input,
  type Inputs,
  type Output,
} from "@pulumi/pulumi";
import { pulumiProperties } from "../../generated/pulumi.ts";
import type { KindName } from "../../model/kind-name.ts";
import { identityOf, packagedType } from "../properties/provider-text.ts";

/** Properties of a registered resource. */
export type Outputs<T> = { readonly [K in keyof T]-?: Output<T[K]> };

/** Properties that identify the scope or the person of a resource. */
const SCOPE_PROPERTIES = ["organizationId", "projectId", "email"];

/** A resource class with any arguments. */
export type ResourceConstructor<T> = new (name: string, args: never, options?: CustomResourceOptions) => T;

/** A resource class whose arguments were checked elsewhere. */
export type ResourceClass = ResourceConstructor<CustomResource>;

/** The scope of an object that is looked up. */
export interface LookupScope {
  readonly organizationId?: Input<string> | undefined;
  readonly projectId?: Input<string | number> | undefined;
}

/** What the engine knows a resource by. */
interface Identity {
  readonly type: string;
  /** Properties beside those of the kind. */
  readonly props?: Inputs;
  readonly options?: CustomResourceOptions;
}

/** A resource of one kind. */
class KindResource extends CustomResource {
  /**
   * Looks up an object that somebody else manages, by its id (for a membership: the e-mail) and its scope. driftline
   * never writes to it. Its outputs are all the fields that the service shows.
   *
   * @example
   * const corp = Domain.get("corp", "0190aa11-0000-4000-8000-00000000000c", { organizationId });
   */
  static get<T>(
    this: ResourceConstructor<T>,
    name: string,
    id: Input<ID>,
    scope: LookupScope,
    options?: CustomResourceOptions,
  ): T {
    return new this(name, scope as never, { ...options, id });
  }

  constructor(
    kind: KindName,
    name: string,
    args: object,
    options: CustomResourceOptions | undefined,
    identity: Identity,
  ) {
    const { inputs, outputs, secrets } = pulumiProperties[kind];
    // Every property is an output, even without a value. An undefined property is not sent.
    const names = [...SCOPE_PROPERTIES, ...Object.keys(inputs), ...Object.keys(outputs)];
    const computed = Object.fromEntries(names.map((output) => [output, undefined]));
    const given: Inputs = { ...args };
    // The state holds the inputs as well, so they are secret too.
    const hidden = secrets.flatMap((field) =>
      given[field] === undefined ? [] : [[field, secret(given[field])] as const],
    );
    const props = { ...computed, ...given, ...Object.fromEntries(hidden), ...identity.props };
    // The old object has to go before a new one can take its natural key.
    const standard = { deleteBeforeReplace: true, additionalSecretOutputs: [...secrets], ...identity.options };
    super(identity.type, name, props, mergeOptions(standard, options));
  }
}

/**
 * A resource that Pulumi's stock process of dynamic providers manages. No function is serialised: the state holds a
 * constant text that loads `driftline/dynamic`.
 */
export class DriftlineResource extends KindResource {
  constructor(kind: KindName, name: string, args: object, options?: CustomResourceOptions) {
    const { type, text } = identityOf(pulumiProperties[kind].title);
    super(kind, name, args, options, { type, props: { __provider: text } });
  }
}

/** A resource that driftline's own provider manages. The alias takes over the state of a dynamic resource. */
export class PackagedResource extends KindResource {
  constructor(kind: KindName, name: string, args: object, options?: CustomResourceOptions) {
    const { title } = pulumiProperties[kind];
    const aliases = [{ type: identityOf(title).type }];
    super(kind, name, args, options, { type: packagedType(title), options: { aliases } });
  }
}
