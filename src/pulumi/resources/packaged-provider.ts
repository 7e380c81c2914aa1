import { type Input, output, ProviderResource, type ResourceOptions, secret } from "@pulumi/pulumi";

/** The settings of a provider. What is left out comes from the environment, such as `DRIFTLINE_API_KEY`. */
export interface ProviderArgs {
  /** Base URL of the service. */
  readonly url?: Input<string> | undefined;
  /** Key of the service. It is a secret by itself. */
  readonly apiKey?: Input<string> | undefined;
  /** `document` is for a service that follows its documentation to the letter. */
  readonly profile?: Input<"posthog" | "document"> | undefined;
  /** E-mail address of the key's own user, who is never removed or given fewer rights. */
  readonly self?: Input<string> | undefined;
  /** Seconds after which an unanswered create can no longer take effect: 60 by default. */
  readonly settleAfter?: Input<number> | undefined;
  /** The most requests that are sent in a minute. */
  readonly maxRequestsPerMinute?: Input<number> | undefined;
}

/** A service, and the key for it. A program has several of them if it manages several services. */
export class Provider extends ProviderResource {
  constructor(
    name: string,
    { apiKey, settleAfter, maxRequestsPerMinute, ...args }: ProviderArgs,
    options?: ResourceOptions,
  ) {
    const hidden = apiKey === undefined ? undefined : secret(apiKey);
    const numbers = { settleAfter: asText(settleAfter), maxRequestsPerMinute: asText(maxRequestsPerMinute) };
    super("driftline", name, { ...args, ...numbers, apiKey: hidden }, options);
  }
}

/** The engine takes the settings of providers as text. */
function asText(value: Input<number> | undefined): Input<string> | undefined {
  return value === undefined ? undefined : output(value).apply(String);
}
