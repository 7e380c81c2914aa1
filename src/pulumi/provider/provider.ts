import type { CheckFailure } from "../properties/check.ts";
import type { Properties } from "../properties/properties.ts";

/** The result of `diff`. */
export interface DiffResult {
  /** If it is absent, the engine works out the changes from the inputs. */
  readonly changes?: boolean;
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
}

/** The result of `read`. Without an id the object is gone. */
export interface ReadResult {
  readonly id?: string;
  readonly props?: Properties;
  readonly inputs?: Properties;
}

/** The configuration of the stack, as the process of dynamic providers passes it. */
export interface StackConfig {
  get(key: string): string | undefined;
}

/**
 * The interface that the stock process of Pulumi's dynamic providers calls. It equals
 * `pulumi.dynamic.ResourceProvider`, without importing it. Source: `@pulumi/pulumi`, `cmd/dynamic-provider`.
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
