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
import { identityOf } from "../properties/provider-text.ts";

/** Properties as a resource has them once it is registered. */
export type Outputs<T> = { readonly [K in keyof T]-?: Output<T[K]> };

/** What says where a resource is, and whom it is about. */
const PLACES = ["organizationId", "projectId", "email"];

/** A class of resources, whatever its arguments are. */
export type Gettable<T> = new (name: string, args: never, options?: CustomResourceOptions) => T;

/** What an object lives in that is looked up. */
export interface Place {
  readonly organizationId?: Input<string> | undefined;
  readonly projectId?: Input<string | number> | undefined;
}

/**
 * A resource that Pulumi's stock process of dynamic providers looks after. Nothing is serialised: the state holds a constant
 * text that leads to `driftline/dynamic`.
 */
export class DriftlineResource extends CustomResource {
  /**
   * Looks up what somebody else manages, by its id (a membership's is its e-mail) and by what it lives in. Nothing is written
   * to it, and all that the service shows of it are its outputs.
   *
   * @example
   * const corp = Domain.get("corp", "0190aa11-0000-4000-8000-00000000000c", { organizationId });
   */
  static get<T>(this: Gettable<T>, name: string, id: Input<ID>, place: Place, options?: CustomResourceOptions): T {
    return new this(name, place as never, { ...options, id });
  }

  constructor(kind: KindName, name: string, args: object, options?: CustomResourceOptions) {
    const { title, inputs, outputs, secrets } = pulumiProperties[kind];
    // Whatever is not given is an output nevertheless; what stays undefined is not sent.
    const names = [...PLACES, ...Object.keys(inputs), ...Object.keys(outputs)];
    const computed = Object.fromEntries(names.map((output) => [output, undefined]));
    const given: Inputs = { ...args };
    // Also in the inputs, which the state holds as well.
    const hidden = secrets.flatMap((field) =>
      given[field] === undefined ? [] : [[field, secret(given[field])] as const],
    );
    const { type, text } = identityOf(title);
    const props = { ...computed, ...given, ...Object.fromEntries(hidden), __provider: text };
    // What has a natural key has to go before another one takes it.
    const standard = { deleteBeforeReplace: true, additionalSecretOutputs: [...secrets] };
    super(type, name, props, mergeOptions(standard, options));
  }
}
