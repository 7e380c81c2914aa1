import type { CheckFailure } from "../properties/check.ts";
import type { Properties } from "../properties/properties.ts";

export interface DiffResult {
  /** Left out, the engine works out what changes, from the inputs. */
  readonly changes?: boolean;
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
}

export interface ReadResult {
  readonly id?: string;
  readonly props?: Properties;
  readonly inputs?: Properties;
}

/** The stack's configuration, as the process of dynamic providers hands it over. */
export interface StackConfig {
  get(key: string): string | undefined;
}

/**
 * What the stock process of Pulumi's dynamic providers calls. Source: `@pulumi/pulumi`, `cmd/dynamic-provider`, and
 * `pulumi.dynamic.ResourceProvider`, which this is without importing it.
 */
export interface Provider {
  configure(request: { readonly config: StackConfig }): Promise<void>;
  check(olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: CheckFailure[] }>;
  diff(id: string, olds: Properties, news: Properties): Promise<DiffResult>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  read(id: string, props: Properties): Promise<ReadResult>;
  delete(id: string, props: Properties): Promise<void>;
}
