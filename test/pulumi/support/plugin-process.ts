import { join } from "node:path";
import type { JsonObject } from "../../../src/model/json/json.ts";
import type { Toolchain } from "../sdks/sdks.ts";
import { PACKAGE } from "./package.ts";
import { call, message, OWN, startProcess, type Message } from "./provider-process.ts";

/** The packaged provider as the engine starts it, and its calls over gRPC. Secrets in answers are still wrapped. */
export interface PluginProcess {
  /** A call as it is, for all that has no function of its own. */
  readonly send: (method: string, request: string, fields?: JsonObject) => Promise<Message>;
  readonly configure: (args: JsonObject, name?: string) => Promise<Message>;
  readonly check: (type: string, news: JsonObject) => Promise<{ inputs: JsonObject; failures: readonly Failure[] }>;
  readonly checkConfig: (news: JsonObject) => Promise<readonly Failure[]>;
  readonly diff: (type: string, olds: JsonObject, news: JsonObject, id?: string) => Promise<Details>;
  readonly create: (
    type: string,
    properties: JsonObject,
    preview?: boolean,
  ) => Promise<{ id: string; outs: JsonObject }>;
  readonly update: (
    type: string,
    id: string,
    olds: JsonObject,
    news: JsonObject,
    preview?: boolean,
  ) => Promise<JsonObject>;
  /** Without properties it is an import. */
  readonly read: (type: string, id: string, properties?: JsonObject) => Promise<Read>;
  readonly list: (type: string, query: JsonObject, cut?: JsonObject) => Promise<Listed>;
  readonly remove: (type: string, id: string, properties: JsonObject) => Promise<void>;
  readonly pid: number;
  readonly output: () => string;
  readonly stop: () => void;
}

interface Failure {
  readonly property: string;
  readonly reason: string;
}

interface Details {
  readonly changes: string;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  readonly stables: readonly string[];
  /** How each path differs. */
  readonly paths: Readonly<Record<string, string>>;
}

interface Listed {
  readonly objects: readonly { readonly id: string; readonly name: string }[];
  /** Where the next page begins; empty if there is none. */
  readonly next: string;
}

interface Read {
  readonly id: string;
  readonly props: JsonObject;
  readonly inputs: JsonObject;
}

/** The wrapping of a secret on the wire. */
export function wrapped(value: unknown): object {
  return { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value };
}

const KINDS = ["add", "add-replace", "delete", "delete-replace", "update", "update-replace"] as const;

/** @param folder another package than the one that is tested */
export async function startPlugin(
  env: Readonly<Record<string, string>>,
  toolchain: Toolchain = OWN,
  folder: string = PACKAGE,
): Promise<PluginProcess> {
  const script = join(folder, "dist/pulumi/plugin/main.js");
  const { client, modules, pid, output, stop } = await startProcess(script, env, toolchain);
  const send: PluginProcess["send"] = (method, request, fields = {}) =>
    call(
      client,
      method,
      request === "Empty"
        ? new (modules.empty["Empty"] as unknown as new () => Message)()
        : message(modules, request, fields),
    );
  const urn = (type: string): string => `urn:pulumi:dev::acme::driftline:index:${type}::it`;
  return {
    send,
    configure: (args, name = "default") => send("configure", "ConfigureRequest", { args, name }),
    check: async (type, news) => {
      const response = await send("check", "CheckRequest", { urn: urn(type), olds: {}, news });
      return { inputs: props(response["getInputs"]?.()), failures: failuresIn(response) };
    },
    checkConfig: async (news) => failuresIn(await send("checkConfig", "CheckRequest", { olds: {}, news })),
    diff: async (type, olds, news, id = "1") => {
      const response = await send("diff", "DiffRequest", { urn: urn(type), id, olds, news });
      const map = response["getDetaileddiffMap"]?.() as { toArray: () => [string, unknown][] } & Message;
      const entries = (map["getEntryList"]?.() ?? []) as [string, unknown][];
      return {
        changes: (["unknown", "none", "some"] as const)[response["getChanges"]?.() as number] ?? "",
        replaces: response["getReplacesList"]?.() as string[],
        deleteBeforeReplace: response["getDeletebeforereplace"]?.() as boolean,
        stables: response["getStablesList"]?.() as string[],
        paths: Object.fromEntries(
          entries.map(([path]) => {
            const entry = map["get"]?.(path) as Message;
            return [path, KINDS[entry["getKind"]?.() as number] ?? ""];
          }),
        ),
      };
    },
    create: async (type, properties, preview = false) => {
      const response = await send("create", "CreateRequest", { urn: urn(type), properties, preview });
      return { id: response["getId"]?.() as string, outs: props(response["getProperties"]?.()) };
    },
    update: async (type, id, olds, news, preview = false) =>
      props((await send("update", "UpdateRequest", { urn: urn(type), id, olds, news, preview }))["getProperties"]?.()),
    read: async (type, id, properties) => {
      const state = properties === undefined ? {} : { properties, inputs: properties };
      const response = await send("read", "ReadRequest", { urn: urn(type), id, ...state });
      return {
        id: response["getId"]?.() as string,
        props: props(response["getProperties"]?.()),
        inputs: props(response["getInputs"]?.()),
      };
    },
    list: (type, query, cut = {}) => {
      const request = message(modules, "ListRequest", { token: `driftline:index:${type}`, query, ...cut });
      return readStream(client["list"]?.(request) as NodeJS.EventEmitter);
    },
    remove: async (type, id, properties) =>
      void (await send("delete", "DeleteRequest", { urn: urn(type), id, properties })),
    pid,
    output,
    stop,
  };
}

function readStream(stream: NodeJS.EventEmitter): Promise<Listed> {
  return new Promise((resolve, reject) => {
    const objects: Listed["objects"][number][] = [];
    let next = "";
    stream.on("data", (response: Message) => {
      const [result, more] = [response["getResult"]?.(), response["getContinuation"]?.()] as (Message | undefined)[];
      if (result !== undefined) objects.push(result["toObject"]?.() as Listed["objects"][number]);
      if (more !== undefined) next = more["getContinuationToken"]?.() as string;
    });
    stream.on("error", reject);
    stream.on("end", () => resolve({ objects, next }));
  });
}

function failuresIn(response: Message): readonly Failure[] {
  return ((response["getFailuresList"]?.() ?? []) as Message[]).map((one) => ({
    property: one["getProperty"]?.() as string,
    reason: one["getReason"]?.() as string,
  }));
}

function props(struct: unknown): JsonObject {
  return ((struct as Message | undefined)?.["toJavaScript"]?.() ?? {}) as JsonObject;
}
