import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { identityOf } from "../../../src/pulumi/properties/provider-text.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import { envOfSdk, type Toolchain } from "../sdks/sdks.ts";
import { PACKAGE, ROOT } from "./package.ts";

/** The stock process of dynamic providers, as the engine starts it, and its calls over gRPC. */
export interface ProviderProcess {
  readonly check: (
    olds: JsonObject,
    news: JsonObject,
  ) => Promise<{ inputs: JsonObject; failures: { property: string; reason: string }[] }>;
  readonly diff: (
    id: string,
    olds: JsonObject,
    news: JsonObject,
  ) => Promise<{ changes: "unknown" | "none" | "some"; replaces: string[]; deleteBeforeReplace: boolean }>;
  readonly create: (inputs: JsonObject) => Promise<{ id: string; outs: JsonObject }>;
  readonly read: (id: string, props: JsonObject) => Promise<{ id: string; props: JsonObject; inputs: JsonObject }>;
  readonly update: (id: string, olds: JsonObject, news: JsonObject) => Promise<JsonObject>;
  readonly remove: (id: string, props: JsonObject) => Promise<void>;
  /** The same process with the text of another kind. */
  readonly as: (entry: string) => ProviderProcess;
  /** Version of the SDK that runs it. */
  readonly version: () => Promise<string>;
  readonly output: () => string;
  readonly stop: () => void;
}

/** The failure that the engine gets if the object exists nevertheless. */
export interface RecordedFailure {
  readonly id: string;
  readonly properties: JsonObject;
  readonly reasons: readonly string[];
}

/** Does the same for a dynamic resource, whose properties have to hold the provider's text. */
export function recordedIn(error: unknown, toolchain: Toolchain = OWN): RecordedFailure | undefined {
  const recorded = failureIn(error, toolchain);
  return recorded && { ...recorded, properties: withoutText(recorded.properties) };
}

/** Returns what the engine would record of a failed call. Returns undefined if it would record nothing. */
export function failureIn(error: unknown, { modules }: Toolchain = OWN): RecordedFailure | undefined {
  const metadata = (error as { readonly metadata?: Message }).metadata;
  const [bytes] = (metadata?.["get"]?.("grpc-status-details-bin") ?? []) as Uint8Array[];
  if (bytes === undefined) return undefined;
  const { status, messages } = load(join(modules, "@pulumi/pulumi"));
  const decoded = (status["Status"] as unknown as Message)["deserializeBinary"]?.(bytes) as Message;
  const [detail] = (decoded["getDetailsList"]?.() ?? []) as Message[];
  const Failure = messages["ErrorResourceInitFailed"] as unknown as Message;
  const failure = Failure["deserializeBinary"]?.(detail?.["getValue_asU8"]?.()) as Message;
  return {
    id: failure["getId"]?.() as string,
    properties: ((failure["getProperties"]?.() as Message | undefined)?.["toJavaScript"]?.() ?? {}) as JsonObject,
    reasons: failure["getReasonsList"]?.() as string[],
  };
}

/** The SDK that is a dependency, on the Node that runs the tests. */
export const OWN: Toolchain = {
  name: "own",
  modules: join(ROOT, "node_modules"),
  node: process.execPath,
  preload: fileURLToPath(new URL("quick-sdk.cjs", import.meta.url)),
};

/** A message or client of the SDK, whose types vary from one release to the next. */
export type Message = Record<string, (...args: unknown[]) => unknown>;
export type Modules = Record<"grpc" | "service" | "messages" | "struct" | "status" | "empty", Record<string, never>>;

/** A provider that runs, and a client for it. */
export interface Started {
  readonly client: Message;
  readonly modules: Modules;
  readonly pid: number;
  /** What it wrote besides its port. */
  readonly output: () => string;
  readonly stop: () => void;
}

/** Starts a provider as the engine does: its own argument is the address of the engine, and its first line the port. */
export async function startProcess(
  script: string,
  env: Readonly<Record<string, string>>,
  toolchain: Toolchain,
): Promise<Started> {
  const { modules: packages, node } = toolchain;
  const child = spawn(node, [script, "127.0.0.1:1"], {
    cwd: PACKAGE,
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...envOfSdk(toolchain), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (data: Buffer) => void (output += data.toString()));
  const port = await new Promise<string>((resolve, reject) => {
    const lines = createInterface({ input: child.stdout });
    lines.once("line", (first) => {
      resolve(first);
      lines.on("line", (line) => void (output += `${line}\n`));
    });
    child.once("exit", () => reject(new Error(`the provider ended: ${output}`)));
  });
  const modules = load(join(packages, "@pulumi/pulumi"));
  const Client = modules.service["ResourceProviderClient"] as unknown as new (
    address: string,
    credentials: unknown,
  ) => Message;
  const insecure = (modules.grpc["credentials"] as unknown as Message)["createInsecure"]?.();
  const client = new Client(`127.0.0.1:${port}`, insecure);
  return { client, modules, pid: child.pid ?? 0, output: () => output, stop: () => void child.kill() };
}

/** @param config the configuration of the stack */
export async function startProvider(
  env: Readonly<Record<string, string>>,
  config: JsonObject = {},
  toolchain: Toolchain = OWN,
): Promise<ProviderProcess> {
  const script = join(toolchain.modules, "@pulumi/pulumi/cmd/dynamic-provider");
  const { client, modules, output, stop } = await startProcess(script, env, toolchain);
  await call(client, "configure", message(modules, "ConfigureRequest", { args: config }));
  return calls(client, modules, "domain", output, stop);
}

export function load(sdk: string): Modules {
  const fromSdk = createRequire(`${sdk}/package.json`);
  return {
    grpc: fromSdk("@grpc/grpc-js") as never,
    service: fromSdk("./proto/provider_grpc_pb.js") as never,
    messages: fromSdk("./proto/provider_pb.js") as never,
    struct: fromSdk("google-protobuf/google/protobuf/struct_pb.js") as never,
    status: fromSdk("./proto/status_pb.js") as never,
    empty: fromSdk("google-protobuf/google/protobuf/empty_pb.js") as never,
  };
}

function calls(
  client: Message,
  modules: Modules,
  entry: string,
  output: () => string,
  stop: () => void,
): ProviderProcess {
  const title = entry.charAt(0).toUpperCase() + entry.slice(1);
  const withText = (props: JsonObject): JsonObject => ({ ...props, __provider: identityOf(title).text });
  const send = (method: string, type: string, fields: JsonObject): Promise<Message> =>
    call(client, method, message(modules, type, fields));
  return {
    check: async (olds, news) => {
      const response = await send("check", "CheckRequest", { olds: withText(olds), news: withText(news) });
      const failures = ((response["getFailuresList"]?.() ?? []) as Message[]).map((one) => ({
        property: one["getProperty"]?.() as string,
        reason: one["getReason"]?.() as string,
      }));
      return { inputs: json(response["getInputs"]?.()), failures };
    },
    diff: async (id, olds, news) => {
      const response = await send("diff", "DiffRequest", { id, olds: withText(olds), news: withText(news) });
      const changes = (["unknown", "none", "some"] as const)[response["getChanges"]?.() as number] ?? "unknown";
      return {
        changes,
        replaces: response["getReplacesList"]?.() as string[],
        deleteBeforeReplace: response["getDeletebeforereplace"]?.() as boolean,
      };
    },
    create: async (inputs) => {
      const response = await send("create", "CreateRequest", { properties: withText(inputs) });
      return { id: response["getId"]?.() as string, outs: json(response["getProperties"]?.()) };
    },
    read: async (id, props) => {
      const response = await send("read", "ReadRequest", { id, properties: withText(props) });
      const inputs = response["getInputs"]?.();
      return {
        id: response["getId"]?.() as string,
        props: json(response["getProperties"]?.()),
        inputs: inputs === undefined ? {} : json(inputs),
      };
    },
    update: async (id, olds, news) =>
      json(
        (await send("update", "UpdateRequest", { id, olds: withText(olds), news: withText(news) }))[
          "getProperties"
        ]?.(),
      ),
    remove: async (id, props) => void (await send("delete", "DeleteRequest", { id, properties: withText(props) })),
    version: async () => {
      const request = new (modules.empty["Empty"] as unknown as new () => Message)();
      return (await call(client, "getPluginInfo", request))["getVersion"]?.() as string;
    },
    as: (other) => calls(client, modules, other, output, stop),
    output,
    stop,
  };
}

/** A request whose objects are structs. */
export function message({ messages, struct }: Modules, type: string, fields: JsonObject): unknown {
  const made = new (messages[type] as unknown as new () => Message)();
  const from = (struct["Struct"] as unknown as Message)["fromJavaScript"];
  for (const [name, value] of Object.entries(fields)) {
    made[`set${name.charAt(0).toUpperCase()}${name.slice(1)}`]?.(typeof value === "object" ? from?.(value) : value);
  }
  return made;
}

export function call(client: Message, method: string, request: unknown): Promise<Message> {
  return new Promise((resolve, reject) => {
    client[method]?.(request, (error: Error | null, response: Message) =>
      error === null ? resolve(response) : reject(error),
    );
  });
}

/** Properties less the provider's text, which has to have come back. */
function json(struct: unknown): JsonObject {
  return withoutText(((struct as Message)["toJavaScript"]?.() ?? {}) as JsonObject);
}

function withoutText({ __provider: text, ...rest }: JsonObject): JsonObject {
  if (typeof text !== "string") throw new Error("the provider's text was lost");
  return rest;
}
