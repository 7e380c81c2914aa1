/** The calls about resources. Each one translates its message, and leaves the rest to the provider of the resource's kind. */
import type {
  CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  ReadRequest,
  ReadResponse,
  UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb.js";
import { pulumiProperties } from "../../generated/pulumi.ts";
import type { Kind } from "../../kinds/kind.ts";
import { allKinds } from "../../kinds/registry.ts";
import { UNKNOWN } from "../properties/check.ts";
import { packagedType } from "../properties/provider-text.ts";
import { outs } from "../properties/outs.ts";
import { pickInputs, type Properties } from "../properties/properties.ts";
import { createProvider } from "../provider/adapter.ts";
import { PartialFailure } from "../provider/errors.ts";
import type { CallContext, Provider, StackConfig } from "../provider/provider.ts";
import { detailedDiff } from "./detailed.ts";
import { importState, parseIdBeside, parsePlacedId } from "./imported.ts";
import type { Sdk, StructMessage } from "./sdk.ts";
import { readStruct, wrapSecrets } from "./wire.ts";

/** The answers to the calls about resources. */
export interface Resources {
  readonly check: (request: CheckRequest) => Promise<CheckResponse>;
  readonly diff: (request: DiffRequest) => Promise<DiffResponse>;
  readonly create: (request: CreateRequest) => Promise<CreateResponse>;
  readonly update: (request: UpdateRequest) => Promise<UpdateResponse>;
  readonly read: (request: ReadRequest) => Promise<ReadResponse>;
  readonly delete: (request: DeleteRequest) => Promise<void>;
}

interface Target {
  readonly kind: Kind;
  readonly provider: Provider;
}

/** @param config the settings of the provider, which are complete before the first call */
export function createResources(sdk: Sdk, config: () => StackConfig | undefined): Resources {
  const { messages, Struct } = sdk;
  const targets = new Map<string, Target>(
    allKinds.map((kind) => [
      packagedType(pulumiProperties[kind.name].title),
      { kind, provider: createProvider(kind, config) },
    ]),
  );
  const struct = (kind: Kind, props: Properties): StructMessage => Struct.fromJavaScript(wrapSecrets(kind, props));
  const target = (urn: string): Target => {
    // A URN is `urn:pulumi:STACK::PROJECT::TYPES::NAME`, and the types begin with those of the parents.
    const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
    const found = targets.get(type);
    if (found === undefined) throw new Error(`driftline has no resource ${type}`);
    return found;
  };
  return {
    check: async (request) => {
      const { kind, provider } = target(request.getUrn());
      const { inputs, failures } = await provider.check(readStruct(request.getOlds()), readStruct(request.getNews()));
      return new messages.CheckResponse().setInputs(struct(kind, inputs)).setFailuresList(checkFailures(sdk, failures));
    },
    diff: async (request) => {
      const { kind, provider } = target(request.getUrn());
      const [olds, news] = [readStruct(request.getOlds()), readStruct(request.getNews())];
      const { id } = parseIdBeside(kind, request.getId(), { ...news, ...olds });
      return diffResponse(sdk, kind, await provider.diff(id, olds, news), olds, news);
    },
    create: async (request) => {
      const { kind, provider } = target(request.getUrn());
      const inputs = readStruct(request.getProperties());
      const response = new messages.CreateResponse();
      if (request.getPreview()) return response.setProperties(struct(kind, previewOf(kind, inputs)));
      const created = await withSecretsMarked(kind, provider.create(inputs, callOf(request)));
      return response.setId(created.id).setProperties(struct(kind, created.outs));
    },
    update: async (request) => {
      const { kind, provider } = target(request.getUrn());
      const [olds, news] = [readStruct(request.getOlds()), readStruct(request.getNews())];
      const { id } = parseIdBeside(kind, request.getId(), news);
      // An update keeps what the service computes, so nothing that depends on it has to change.
      const state = request.getPreview()
        ? outs(kind, news, undefined, olds)
        : (await withSecretsMarked(kind, provider.update(id, olds, news, callOf(request)))).outs;
      return new messages.UpdateResponse().setProperties(struct(kind, state));
    },
    read: async (request) => {
      const found = target(request.getUrn());
      const { id, properties, inputs } = await readResource(found, request);
      const response = new messages.ReadResponse();
      // Without an id the object does not exist.
      if (id === undefined) return response;
      return response.setId(id).setProperties(struct(found.kind, properties)).setInputs(struct(found.kind, inputs));
    },
    delete: (request) => {
      const { kind, provider } = target(request.getUrn());
      const props = readStruct(request.getProperties());
      const { id, place } = parseIdBeside(kind, request.getId(), props);
      return provider.delete(id, { ...place, ...props }, callOf(request));
    },
  };
}

function callOf(request: CreateRequest | UpdateRequest | DeleteRequest): CallContext {
  return { seconds: request.getTimeout(), urn: request.getUrn() };
}

/** Wraps the secrets of an object that exists although the call failed, because the engine records it as well. */
function withSecretsMarked<T>(kind: Kind, call: Promise<T>): Promise<T> {
  return call.catch((error: unknown): never => {
    if (!(error instanceof PartialFailure)) throw error;
    throw new PartialFailure(error.message, error.id, wrapSecrets(kind, error.properties));
  });
}

/** Errors in inputs or in settings as messages. */
export function checkFailures(
  { messages }: Sdk,
  failures: readonly { readonly property: string; readonly reason: string }[],
): InstanceType<Sdk["messages"]["CheckFailure"]>[] {
  return failures.map(({ property, reason }) => new messages.CheckFailure().setProperty(property).setReason(reason));
}

function diffResponse(
  { messages }: Sdk,
  kind: Kind,
  result: Awaited<ReturnType<Provider["diff"]>>,
  olds: Properties,
  news: Properties,
): DiffResponse {
  const { replaces = [], changes } = result;
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  const response = new messages.DiffResponse()
    .setChanges(changes === false ? DIFF_NONE : DIFF_SOME)
    .setReplacesList([...replaces])
    // Every replacement needs the natural key of the old object.
    .setDeletebeforereplace(true)
    .setStablesList(replaces.length > 0 ? [] : Object.keys(pulumiProperties[kind.name].outputs))
    .setHasdetaileddiff(changes !== false);
  for (const [path, change] of detailedDiff(result, olds, news))
    response.getDetaileddiffMap().set(path, new messages.PropertyDiff().setKind(change).setInputdiff(true));
  return response;
}

/** The outputs of a resource that will be created. What the service computes is not known yet. */
function previewOf(kind: Kind, inputs: Properties): Properties {
  const computed = Object.keys(pulumiProperties[kind.name].outputs).map((name): [string, string] => [name, UNKNOWN]);
  return { ...pickInputs(kind, inputs), ...Object.fromEntries(computed) };
}

interface ReadState {
  readonly id: string | undefined;
  readonly properties: Properties;
  readonly inputs: Properties;
}

/** An import comes with an id alone, a lookup of a program with an id and perhaps a place, a refresh with a state. */
async function readResource({ kind, provider }: Target, request: ReadRequest): Promise<ReadState> {
  const typed = request.getId();
  if (!request.hasProperties() && !request.hasInputs()) {
    const { id, place } = parsePlacedId(kind, typed);
    const found = await provider.find(id, place);
    if (found === undefined) return { id: undefined, properties: {}, inputs: {} };
    return importState(kind, found, place);
  }
  const props = readStruct(request.getProperties());
  const { id, place } = parseIdBeside(kind, typed, props);
  const read = await provider.read(id, { ...place, ...props });
  return { id: read.id, properties: read.props ?? {}, inputs: read.inputs ?? {} };
}
