import { ApiError } from "../../api/errors/errors.ts";
import type { Kind } from "../../kinds/kind.ts";
import { stripInvisible } from "../../model/invisible.ts";
import { check, type CheckFailure } from "../properties/check.ts";
import type { Properties } from "../properties/properties.ts";
import { create } from "./create.ts";
import { diff } from "./diff.ts";
import { createOwnership } from "./ownership.ts";
import type { Provider, StackConfig } from "./provider.ts";
import { PartialFailure, sentence } from "./errors.ts";
import { read } from "./read.ts";
import { sessionOf, type ProviderSession } from "./session.ts";
import { remove, update } from "./update.ts";

/**
 * The provider of one kind's resources, for the stock process of dynamic providers. Kinds, comparison, plan and apply are the
 * command line's; here they only meet Pulumi's terms.
 */
export function createProvider(kind: Kind): Provider {
  let config: StackConfig | undefined;
  const session = (): ProviderSession => sessionOf(config);
  const holdings = createOwnership(kind);
  return {
    // A provider counts as configured from the first await on: everything happens before it.
    configure: (request) => {
      config = request.config;
      return Promise.resolve();
    },
    check: (_olds, news) => {
      const { inputs, failures } = check(kind, news);
      return Promise.resolve({ inputs, failures: failures.map((failure) => withoutValue(failure, news)) });
    },
    diff: (id, olds, news) =>
      withoutStack(() => {
        holdings.hold(id, olds);
        return Promise.resolve(diff(kind, olds, news));
      }),
    create: (inputs) => withSanitizedError(async () => create(session(), kind, inputs, holdings)),
    update: (id, olds, news) => withSanitizedError(async () => update(session(), kind, id, olds, news)),
    read: (id, props) => withoutStack(async () => read(session(), kind, id, props)),
    delete: (id, props: Properties) =>
      withoutStack(async () => {
        // What the engine drops is an old name.
        if (holdings.isHeldByAnother(id, props)) return;
        await remove(session(), kind, id, props);
        holdings.release(id, props);
      }),
  };
}

/** The engine prints the value of a property that it is told, secrets in clear: so the reason names the property. */
function withoutValue({ property, reason }: CheckFailure, news: Properties): CheckFailure {
  const value = news[property] ?? null;
  const isHarmless = value === null || typeof value === "boolean";
  return isHarmless ? { property, reason } : { property: "", reason: `${property}: ${reason}` };
}

/**
 * What a call throws comes as a rejection. The engine prints what an error says, names of the service included: nothing of it
 * may move a cursor or turn a text around.
 */
async function withSanitizedError<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PartialFailure)
      throw new PartialFailure(stripInvisible(error.message), error.id, error.properties);
    // A new one: everybody who has waited for the same list is told of the same error.
    if (error instanceof ApiError)
      throw new Error(stripInvisible(sentence(error.message, error.hint)), { cause: error });
    if (error instanceof Error) error.message = stripInvisible(error.message);
    throw error;
  }
}

/** Of these calls the stock process prints the stack, which tells a user nothing that the message does not; a defect keeps it. */
async function withoutStack<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await withSanitizedError(call);
  } catch (error) {
    const isDefect = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
    if (error instanceof Error && !isDefect) error.stack = "";
    throw error;
  }
}
