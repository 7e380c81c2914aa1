import { getMonitor } from "@pulumi/pulumi/runtime/settings.js";
import { runtime } from "@pulumi/pulumi";
import type { JsonObject } from "../../../src/model/json/json.ts";

/** The registration of one resource, as the program sent it to the engine. */
export interface Registration {
  readonly type: string;
  readonly name: string;
  /** As sent: secrets are wrapped, and unknown values are Pulumi's text for them. */
  readonly inputs: JsonObject;
  readonly secretOutputs: readonly string[];
  readonly protect: boolean;
  readonly deleteBeforeReplace: boolean;
  readonly ignoreChanges: readonly string[];
  /** Names of the resources whose outputs it uses. */
  readonly dependencies: readonly string[];
  /** Name of the resource with which it is deleted. */
  readonly deletedWith: string;
  readonly aliases: readonly string[];
  /** Id of the object that is looked up. */
  readonly id: string;
}

type Request = Readonly<Record<string, (() => unknown) | undefined>>;

/** The wrapping of a secret in Pulumi, besides its `value`. */
const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** A secret as a program sends it. */
export function secretly(value: unknown): object {
  return { ...SECRET, value };
}

/**
 * Runs a program without an engine. Every resource exists as soon as it is registered.
 *
 * @param isPreview whether outputs are unknown
 */
export async function registrations(
  isPreview: boolean,
  program: () => void | Promise<void>,
): Promise<Readonly<Record<string, Registration>>> {
  const made: Record<string, Registration> = {};
  await runtime.setMocks(
    {
      newResource: ({ inputs, id, name }) => ({
        id: isPreview ? undefined : [id, `id-of-${name}`].find(Boolean),
        state: inputs as object,
      }),
      call: () => ({}),
    },
    "acme",
    "dev",
    isPreview,
  );
  const monitor = getMonitor() as unknown as Record<string, (request: Request, callback: unknown) => Promise<void>>;
  for (const method of ["registerResource", "readResource"]) {
    const original = monitor[method]?.bind(monitor);
    monitor[method] = async (request, callback) => {
      const registration = registrationOf(request);
      made[registration.name] = registration;
      await original?.(request, callback);
    };
  }
  await program();
  await runtime.disconnect();
  return made;
}

function registrationOf(request: Request): Registration {
  const get = <T>(name: string, otherwise: T): T => (request[`get${name}`]?.() ?? otherwise) as T;
  const struct = get<{ toJavaScript: () => JsonObject } | undefined>(
    request["getObject"] === undefined ? "Properties" : "Object",
    undefined,
  );
  const { __provider: _text, ...inputs } = struct?.toJavaScript() ?? {};
  return {
    type: get("Type", ""),
    name: get("Name", ""),
    inputs,
    secretOutputs: get("AdditionalsecretoutputsList", []),
    protect: get("Protect", false),
    deleteBeforeReplace: get("Deletebeforereplace", false),
    ignoreChanges: get("IgnorechangesList", []),
    dependencies: get<string[]>("DependenciesList", []).map((urn) => nameOf(urn)),
    deletedWith: nameOf(get("Deletedwith", "")),
    aliases: get<string[]>("AliasurnsList", []).concat(
      get<Request[]>("AliasesList", []).map((alias) =>
        JSON.stringify((alias as unknown as { toObject: () => unknown }).toObject()),
      ),
    ),
    id: get("Id", ""),
  };
}

function nameOf(urn: string): string {
  return urn.split("::").at(-1) ?? "";
}
