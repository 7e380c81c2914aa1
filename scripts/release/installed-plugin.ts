/** The plugin that Pulumi has installed: it is started as Pulumi starts it, and asked for its version and its schema. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The versions that a plugin says it has. */
export interface PluginVersions {
  readonly plugin: string;
  readonly schema: string;
}

/** How long it may take to start and to answer. Milliseconds. */
const TIMEOUT = 60_000;

type Callback = (error: Error | null, response: Message) => void;
interface Message {
  readonly getVersion: () => string;
  readonly getSchema: () => string;
}
type Method = (request: object, options: { readonly deadline: number }, callback: Callback) => void;
type Client = Readonly<Record<"getPluginInfo" | "getSchema", Method>> & { readonly close: () => void };
type Constructor<T> = new (...args: readonly unknown[]) => T;

/**
 * @param folder the installed plugin
 * @param project an empty folder: the plugin may need nothing of the project of its user
 * @throws if the plugin does not start or does not answer
 */
export async function askPlugin(folder: string, project: string): Promise<PluginVersions> {
  const runner = join(folder, "node_modules/@pulumi/pulumi/cmd/run-plugin");
  const child = spawn(process.execPath, [runner, folder, "127.0.0.1:1"], {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
    timeout: TIMEOUT,
  });
  try {
    return await versionsAt(await portOf(child), folder);
  } finally {
    child.kill();
  }
}

/** The first line that a plugin prints. */
async function portOf(child: ChildProcess & { readonly stdout: NodeJS.ReadableStream }): Promise<string> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The plugin ended with ${String(code)}.`);
  });
  const first = once(createInterface({ input: child.stdout }), "line") as Promise<[string]>;
  ended.catch(() => undefined);
  const [port] = await Promise.race([first, ended]);
  return port;
}

async function versionsAt(port: string, folder: string): Promise<PluginVersions> {
  const sdk = createRequire(createRequire(join(folder, "package.json")).resolve("@pulumi/pulumi/package.json"));
  const grpc = sdk("@grpc/grpc-js") as { readonly credentials: { readonly createInsecure: () => unknown } };
  const service = sdk("./proto/provider_grpc_pb.js") as { readonly ResourceProviderClient: Constructor<Client> };
  const messages = sdk("./proto/provider_pb.js") as { readonly GetSchemaRequest: Constructor<object> };
  const empty = sdk("google-protobuf/google/protobuf/empty_pb.js") as { readonly Empty: Constructor<object> };
  const client = new service.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const ask = (method: "getPluginInfo" | "getSchema", request: object): Promise<Message> =>
    new Promise((resolve, reject) => {
      const callback: Callback = (error, response) => (error === null ? resolve(response) : reject(error));
      client[method](request, { deadline: Date.now() + TIMEOUT }, callback);
    });
  try {
    const plugin = (await ask("getPluginInfo", new empty.Empty())).getVersion();
    const schema = JSON.parse((await ask("getSchema", new messages.GetSchemaRequest())).getSchema()) as {
      readonly version: string;
    };
    return { plugin, schema: schema.version };
  } finally {
    client.close();
  }
}
