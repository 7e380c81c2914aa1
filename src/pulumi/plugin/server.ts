/**
 * The provider as a server of Pulumi's protocol.
 *
 * Premise: the engine sends requests in any order and in parallel. A request without a handler in `addService` is answered as
 * unimplemented. The engine sends secrets in clear text, because the handshake declines wrapped ones. It marks the outputs as
 * secrets again if an input of the same name is one.
 */
import { version } from "../../generated/version.ts";
import { errorReason } from "../../model/text/error-reason.ts";
import { readFile } from "node:fs/promises";
import type { Writable } from "node:stream";
import type {
  CheckRequest,
  ConfigureRequest,
  GetMappingRequest,
  GetMappingsRequest,
  InvokeRequest,
  ProviderHandshakeRequest,
} from "@pulumi/pulumi/proto/provider_pb.js";
import { canonicalJson } from "../../model/json/canonical-json.ts";
import { functionNamed } from "../properties/functions.ts";
import { callFunction } from "../provider/functions.ts";
import { engineText, PartialFailure } from "../provider/errors.ts";
import type { EngineLog, StackConfig } from "../provider/calls.ts";
import { sessionOf } from "../provider/session.ts";
import { createEngineLog } from "./engine-log.ts";
import { checkFailures, Resources } from "./resources.ts";
import type { Sdk } from "./sdk.ts";
import { checkSettings, mistypedSettings, settingsOf } from "./settings.ts";
import { mappedProviders, mappingOf } from "./terraform.ts";
import { readStruct } from "./wire.ts";

const PACKAGE = new URL("../../../", import.meta.url);
/** The longest message, as in all SDKs. Bytes. */
const LONGEST_MESSAGE = 400 * 1024 * 1024;

export interface ProviderServer {
  readonly port: number;
  /** Answers the calls in flight, and ends. */
  readonly close: () => Promise<void>;
}

/** Starts the provider on a free port of this machine. */
export async function startServer(sdk: Sdk): Promise<ProviderServer> {
  const { Server, ServerCredentials } = sdk.grpc;
  const server = new Server({ "grpc.max_receive_message_length": LONGEST_MESSAGE });
  const handlers = Object.entries(createHandlers(sdk)).map(([name, handler]) => [
    name,
    name === "list" ? streaming(sdk, handler) : answering(sdk, handler),
  ]);
  server.addService(sdk.service.ResourceProviderService, Object.fromEntries(handlers) as object);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { port, close: () => new Promise((resolve) => server.tryShutdown(() => resolve())) };
}

type Handler = (request: never) => unknown;

const ABOUT_RESOURCES = ["check", "diff", "create", "update", "read", "delete", "list"] as const;

function createHandlers(sdk: Sdk): Readonly<Record<string, Handler>> {
  const cancelled = new AbortController();
  let config: StackConfig | undefined;
  let log = createEngineLog(sdk, "");
  const ofEngine: EngineLog = {
    warn: (message, urn) => log.warn(message, urn),
    info: (message, urn) => log.info(message, urn),
    stack: () => log.stack(),
  };
  const resources = new Resources(sdk, () => config, ofEngine);
  return {
    ...aboutProvider(sdk, ofEngine),
    handshake: (request: ProviderHandshakeRequest) => {
      log = createEngineLog(sdk, request.getEngineAddress());
      return new sdk.messages.ProviderHandshakeResponse();
    },
    configure: (request: ConfigureRequest) => {
      config = settingsOf(readStruct(request.getArgs()), cancelled.signal);
      return new sdk.messages.ConfigureResponse().setSupportspreview(true);
    },
    invoke: async (request: InvokeRequest) => {
      const name = functionNamed(request.getTok());
      const answer = await callFunction(() => sessionOf(config), name, readStruct(request.getArgs()));
      return new sdk.messages.InvokeResponse().setReturn(sdk.Struct.fromJavaScript(answer));
    },
    ...Object.fromEntries(ABOUT_RESOURCES.map((name) => [name, (request: never) => resources[name](request)])),
    // The engine also cancels at the end of each run, so there may be nothing to stop.
    cancel: () => {
      cancelled.abort();
      return new sdk.Empty();
    },
  };
}

/** The answers to the calls about the provider itself and its settings. */
function aboutProvider(sdk: Sdk, log: EngineLog): Readonly<Record<string, Handler>> {
  const { messages, pluginMessages } = sdk;
  return {
    getPluginInfo: () => new pluginMessages.PluginInfo().setVersion(version),
    getSchema: async () =>
      new messages.GetSchemaResponse().setSchema(
        await readFile(new URL("schemas/pulumi.schema.json", PACKAGE), "utf8"),
      ),
    getMappings: (request: GetMappingsRequest) =>
      new messages.GetMappingsResponse().setProvidersList([...mappedProviders(request.getKey())]),
    getMapping: async (request: GetMappingRequest) => {
      const mapped = await mappingOf(request.getKey(), request.getProvider());
      if (mapped === undefined) return new messages.GetMappingResponse();
      const data = Buffer.from(JSON.stringify(mapped.mapping));
      return new messages.GetMappingResponse().setProvider(mapped.provider).setData(data);
    },
    checkConfig: async (request: CheckRequest) => {
      const news = readStruct(request.getNews());
      for (const warning of mistypedSettings(news)) await log.warn(warning);
      return new messages.CheckResponse()
        .setInputs(request.getNews())
        .setFailuresList(checkFailures(sdk, checkSettings(news)));
    },
    // It never asks for a replace: that would replace every resource of the provider.
    diffConfig: (request: { getOlds(): never; getNews(): never }) => {
      const [olds, news] = [readStruct(request.getOlds()), readStruct(request.getNews())];
      const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
      return new messages.DiffResponse().setChanges(
        canonicalJson(olds) === canonicalJson(news) ? DIFF_NONE : DIFF_SOME,
      );
    },
  };
}

function answering(
  sdk: Sdk,
  handler: Handler,
): (call: { readonly request: never }, answer: (error: object | null, response?: unknown) => void) => Promise<void> {
  return async (call, answer) => {
    try {
      answer(null, await handler(call.request));
    } catch (error) {
      answer(failure(sdk, error));
    }
  };
}

/** A handler whose results are messages of their own, one after the other. */
function streaming(sdk: Sdk, handler: Handler): (call: Writable & { readonly request: never }) => Promise<void> {
  return async (call) => {
    try {
      for (const message of (await handler(call.request)) as readonly unknown[]) call.write(message);
      call.end();
    } catch (error) {
      call.emit("error", failure(sdk, error));
    }
  };
}

/** The error of a call. If the object exists nevertheless, it goes along with its id, so that the engine records it. */
function failure({ grpc, messages, Status, Struct, Any }: Sdk, error: unknown): object {
  const message = engineText(errorReason(error));
  const code = grpc.status.UNKNOWN;
  if (!(error instanceof PartialFailure)) return { code, details: message };
  const detail = new messages.ErrorResourceInitFailed()
    .setId(error.id)
    .setProperties(Struct.fromJavaScript(error.properties))
    .setReasonsList(error.reasons.map(engineText));
  const any = new Any();
  any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status().setCode(code).setMessage(message).setDetailsList([any]);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return { code, details: message, metadata };
}
