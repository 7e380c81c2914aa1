/** The calls about resources. Each one translates its message, and leaves the rest to the provider of the resource's kind. */
import type {
  CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  ListRequest,
  ListResponse,
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
import { outputs } from "../properties/outputs.ts";
import { pickInputs, propertyPath, type Properties } from "../properties/properties.ts";
import { KindProvider } from "../provider/kind-provider.ts";
import { engineText, PartialFailure } from "../provider/errors.ts";
import type { CallContext, DiffResult, EngineLog, ReadResult, StackConfig } from "../provider/calls.ts";
import { parseIdBeside, parseImportId } from "./import-id.ts";
import { importInputs, importState } from "./imported.ts";
import { listObjects } from "./list.ts";
import type { Sdk, StructMessage } from "./sdk.ts";
import { readStruct, wrapSecrets } from "./wire.ts";

interface Target {
  readonly kind: Kind;
  readonly provider: KindProvider;
  readonly log: EngineLog;
}

/** The answers to the calls about resources. */
export class Resources {
  readonly #sdk: Sdk;
  readonly #targets: ReadonlyMap<string, Target>;

  /** @param config the settings of the provider, which are complete before the first call */
  constructor(sdk: Sdk, config: () => StackConfig | undefined, log: EngineLog) {
    this.#sdk = sdk;
    this.#targets = new Map(
      allKinds.map((kind) => [
        packagedType(pulumiProperties[kind.name].title),
        { kind, provider: new KindProvider(kind, config, log), log },
      ]),
    );
  }

  async check(request: CheckRequest): Promise<CheckResponse> {
    const { kind, provider } = this.#target(request);
    const [olds, news] = [readStruct(request.getOlds()), readStruct(request.getNews())];
    const { inputs, failures } = await provider.check(olds, news, { urn: request.getUrn() });
    return new this.#sdk.messages.CheckResponse()
      .setInputs(this.#struct(kind, inputs))
      .setFailuresList(checkFailures(this.#sdk, failures));
  }

  async diff(request: DiffRequest): Promise<DiffResponse> {
    const { kind, provider } = this.#target(request);
    const [olds, news] = [readStruct(request.getOlds()), readStruct(request.getNews())];
    const { id } = parseIdBeside(kind, request.getId(), { ...news, ...olds });
    const result = await provider.diff(id, olds, news, { urn: request.getUrn() });
    return diffResponse(this.#sdk, kind, result, detailedDiff(result, olds, news));
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    const { kind, provider } = this.#target(request);
    const inputs = readStruct(request.getProperties());
    const response = new this.#sdk.messages.CreateResponse();
    if (request.getPreview()) return response.setProperties(this.#struct(kind, previewOf(kind, inputs)));
    const created = await withSecretsMarked(kind, provider.create(inputs, callOf(request)));
    return response.setId(created.id).setProperties(this.#struct(kind, created.outs));
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const { kind, provider } = this.#target(request);
    const [olds, news] = [readStruct(request.getOlds()), readStruct(request.getNews())];
    const { id } = parseIdBeside(kind, request.getId(), news);
    const call = { ...callOf(request), ignored: request.getIgnorechangesList() };
    // An update keeps what the service computes, so nothing that depends on it has to change.
    const state = request.getPreview()
      ? outputs(kind, news, undefined, olds)
      : (await withSecretsMarked(kind, provider.update(id, olds, news, call))).outs;
    return new this.#sdk.messages.UpdateResponse().setProperties(this.#struct(kind, state));
  }

  async read(request: ReadRequest): Promise<ReadResponse> {
    const target = this.#target(request);
    const { id, props = {}, inputs = {} } = await readResource(target, request);
    const response = new this.#sdk.messages.ReadResponse();
    // Without an id the object does not exist.
    if (id === undefined) return response;
    const [state, declared] = [props, inputs].map((one) => this.#struct(target.kind, one));
    return response.setId(id).setProperties(state).setInputs(declared);
  }

  async delete(request: DeleteRequest): Promise<InstanceType<Sdk["Empty"]>> {
    const { kind, provider } = this.#target(request);
    const props = readStruct(request.getProperties());
    const { id, place } = parseIdBeside(kind, request.getId(), props);
    await provider.delete(id, { ...place, ...props }, callOf(request));
    return new this.#sdk.Empty();
  }

  list(request: ListRequest): Promise<readonly ListResponse[]> {
    return listObjects(this.#sdk, this.#targetOf(request.getToken()).provider, request);
  }

  /** A URN is `urn:pulumi:STACK::PROJECT::TYPES::NAME`, and the types begin with those of the parents. */
  #target(request: { getUrn(): string }): Target {
    return this.#targetOf(request.getUrn().split("::")[2]?.split("$").at(-1) ?? "");
  }

  #targetOf(type: string): Target {
    const target = this.#targets.get(type);
    if (target === undefined) throw new Error(`driftline has no resource ${type}`);
    return target;
  }

  #struct(kind: Kind, props: Properties): StructMessage {
    return this.#sdk.Struct.fromJavaScript(wrapSecrets(kind, props));
  }
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
  return failures.map(({ property, reason }) =>
    new messages.CheckFailure().setProperty(engineText(property)).setReason(engineText(reason)),
  );
}

function diffResponse(
  { messages }: Sdk,
  kind: Kind,
  { replaces = [], changes }: DiffResult,
  details: ReturnType<typeof detailedDiff>,
): DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  const response = new messages.DiffResponse()
    .setChanges(changes === false ? DIFF_NONE : DIFF_SOME)
    .setReplacesList([...replaces])
    // Every replacement needs the natural key of the old object.
    .setDeletebeforereplace(true)
    .setStablesList(replaces.length > 0 ? [] : Object.keys(pulumiProperties[kind.name].outputs))
    .setHasdetaileddiff(changes !== false);
  for (const [path, change] of details)
    response.getDetaileddiffMap().set(path, new messages.PropertyDiff().setKind(change).setInputdiff(true));
  return response;
}

/** The outputs of a resource that will be created. What the service computes is not known yet. */
function previewOf(kind: Kind, inputs: Properties): Properties {
  const computed = Object.keys(pulumiProperties[kind.name].outputs).map((name): [string, string] => [name, UNKNOWN]);
  return { ...pickInputs(kind, inputs), ...Object.fromEntries(computed) };
}

/** An import comes with an id alone, a lookup of a program with an id and perhaps a place, a refresh with a state. */
async function readResource({ kind, provider, log }: Target, request: ReadRequest): Promise<ReadResult> {
  const typed = request.getId();
  if (!request.hasProperties() && !request.hasInputs()) {
    const { id, place } = await parseImportId(kind, typed, (unplaced) => provider.locate(unplaced));
    const object = await provider.find(id, place);
    return object === undefined ? {} : importState(kind, object, place, (text) => log.warn(text, request.getUrn()));
  }
  const props = readStruct(request.getProperties());
  const { id, place } = parseIdBeside(kind, typed, props);
  const read = await provider.read(id, { ...place, ...props }, { urn: request.getUrn() });
  if (read.id === undefined || Object.keys(props).length > 0) return read;
  // `pulumi do` adds what it changes to the inputs of what it reads by nothing but an id.
  const object = await provider.find(id, place);
  const inputs = object && importInputs(kind, object, place);
  return inputs === undefined ? read : { ...read, inputs };
}

/** How the protocol names a change of a property. A replace has the next number. */
const NUMBERS = { add: 0, delete: 2, update: 4 } as const;

/** What differs, by Pulumi's property path, as numbers of the protocol. */
function detailedDiff(
  { changed = [], replaces = [] }: DiffResult,
  olds: Properties,
  news: Properties,
): ReadonlyMap<string, 0 | 1 | 2 | 3 | 4 | 5> {
  return new Map(
    changed.map(({ keys, action }) => {
      const isReplaced = replaces.includes(keys[0]);
      return [propertyPath(keys, action === "delete" ? olds : news), (NUMBERS[action] + (isReplaced ? 1 : 0)) as 0];
    }),
  );
}
