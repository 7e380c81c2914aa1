import type { Kind } from "../../kinds/kind.ts";
import { check } from "../properties/check.ts";
import { create } from "./create.ts";
import { diff } from "./diff.ts";
import type { Provider, StackConfig } from "./provider.ts";
import { read } from "./read.ts";
import { sessionOf, type Session } from "./session.ts";
import { remove, update } from "./update.ts";
import type { Properties } from "../properties/properties.ts";

/**
 * The provider of one kind's resources, for the stock process of dynamic providers. Kinds, comparison, plan and apply are the
 * command line's; here they only meet Pulumi's terms.
 */
export function createProvider(kind: Kind): Provider {
  let config: StackConfig | undefined;
  const session = (): Session => sessionOf(config);
  return {
    // A provider counts as configured from the first await on: everything happens before it.
    configure: (request) => {
      config = request.config;
      return Promise.resolve();
    },
    check: (_olds, news) => Promise.resolve(check(kind, news)),
    // What it throws has to come as a rejection.
    diff: (_id, olds, news) => Promise.resolve().then(() => diff(kind, olds, news)),
    create: async (inputs) => create(session(), kind, inputs),
    update: async (id, olds, news) => update(session(), kind, id, olds, news),
    read: (id, props) => plainly(async () => read(session(), kind, id, props)),
    delete: (id, props: Properties) => plainly(async () => remove(session(), kind, id, props)),
  };
}

/** Of these calls the stock process prints the stack, which tells a user nothing that the message does not; a defect keeps it. */
async function plainly<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isDefect = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
    if (error instanceof Error && !isDefect) error.stack = "";
    throw error;
  }
}
