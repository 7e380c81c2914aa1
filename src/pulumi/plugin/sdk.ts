/**
 * What the provider uses of Pulumi's SDK: the messages of the protocol, and gRPC.
 *
 * Premise: the SDK is a peer of this package. Its own dependencies can only be found from there, because package managers such
 * as pnpm hide them. The runtime of the SDK takes longer to load than everything else, and is not needed.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as engine from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type * as engineMessages from "@pulumi/pulumi/proto/engine_pb.js";
import type * as pluginMessages from "@pulumi/pulumi/proto/plugin_pb.js";
import type * as service from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import type * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import type * as statusMessages from "@pulumi/pulumi/proto/status_pb.js";

type Request<Method extends "cancel" | "check"> = Parameters<service.IResourceProviderServer[Method]>[0]["request"];
/** An object of the protocol. */
export type StructMessage = NonNullable<ReturnType<messages.CheckRequest["getNews"]>>;
type EmptyMessage = Request<"cancel">;
type AnyMessage = ReturnType<statusMessages.Status["getDetailsList"]>[number];

/** The part of `@grpc/grpc-js` that a provider needs. */
interface Grpc {
  readonly Server: new (options: Readonly<Record<string, number>>) => GrpcServer;
  readonly ServerCredentials: { createInsecure(): object };
  readonly credentials: { createInsecure(): object };
  readonly Metadata: new () => { add(key: string, value: Buffer): void };
  readonly status: { readonly UNKNOWN: number };
}

interface GrpcServer {
  addService(definition: object, handlers: object): void;
  bindAsync(address: string, credentials: object, bound: (error: Error | null, port: number) => void): void;
  /** Ends once the calls in flight are answered. */
  tryShutdown(ended: (error?: Error) => void): void;
}

export interface Sdk {
  readonly grpc: Grpc;
  readonly engine: typeof engine;
  readonly engineMessages: typeof engineMessages;
  readonly service: typeof service;
  readonly messages: typeof messages;
  readonly pluginMessages: typeof pluginMessages;
  readonly Status: typeof statusMessages.Status;
  readonly Struct: { fromJavaScript(value: object): StructMessage };
  readonly Empty: new () => EmptyMessage;
  readonly Any: new () => AnyMessage;
}

/** Loads the SDK that is installed with this package, or else that of the program. Undefined if there is none. */
export function loadSdk(programFolder: string): Sdk | undefined {
  const sdk = [import.meta.url, join(programFolder, "package.json")].map(requireOfSdk).find((one) => one !== undefined);
  if (sdk === undefined) return undefined;
  return {
    grpc: sdk("@grpc/grpc-js") as Grpc,
    engine: sdk("./proto/engine_grpc_pb.js") as typeof engine,
    engineMessages: sdk("./proto/engine_pb.js") as typeof engineMessages,
    service: sdk("./proto/provider_grpc_pb.js") as typeof service,
    messages: sdk("./proto/provider_pb.js") as typeof messages,
    pluginMessages: sdk("./proto/plugin_pb.js") as typeof pluginMessages,
    ...(sdk("./proto/status_pb.js") as Pick<Sdk, "Status">),
    ...(sdk("google-protobuf/google/protobuf/struct_pb.js") as Pick<Sdk, "Struct">),
    ...(sdk("google-protobuf/google/protobuf/empty_pb.js") as Pick<Sdk, "Empty">),
    ...(sdk("google-protobuf/google/protobuf/any_pb.js") as Pick<Sdk, "Any">),
  };
}

function requireOfSdk(from: string): NodeJS.Require | undefined {
  try {
    return createRequire(createRequire(from).resolve("@pulumi/pulumi/package.json"));
  } catch {
    return undefined;
  }
}
