import { canonicalJson } from "../../model/json/canonical-json.ts";
import { type Json, own } from "../../model/json/json.ts";
import { filterKeys } from "../../model/json/object.ts";
import type { Kind } from "../../kinds/kind.ts";
import { check, type CheckFailure } from "../properties/check.ts";
import { stateId } from "../properties/outputs.ts";
import { MARK, parseDeclared, type Properties } from "../properties/properties.ts";
import { UNKNOWN_OWNER } from "../../engine/one-resource/shared-journal.ts";
import { create } from "./create.ts";
import { diff, lossRefusal } from "./diff.ts";
import { ObjectOwners } from "./object-owners.ts";
import type {
  CallContext,
  CreatedResource,
  DiffResult,
  EngineLog,
  FoundObject,
  ListedObject,
  PlacedId,
  ReadResult,
  StackConfig,
} from "./calls.ts";
import { checkKey } from "./key-check.ts";
import { list } from "./list.ts";
import { loaderWarnings } from "./loader-warnings.ts";
import { mayMiss, warningsOfNew, warningsOfState } from "./missing-fields.ts";
import { locate } from "./find-organization.ts";
import { engineText, UnknownSettingError, withoutStack, withSanitizedError } from "./errors.ts";
import { readUnrecorded, isGone, read } from "./read.ts";
import { sessionOf, type ProviderSession, type SessionLog } from "./session.ts";
import { withinTime } from "./time-limit.ts";
import { remove, update } from "./update.ts";

/**
 * The provider of one kind, for the stock process of dynamic providers and for the packaged provider. It translates
 * between Pulumi's terms and driftline's. Kinds, comparison, plan and apply are the same as for the command line.
 *
 * The stock process calls the methods of `pulumi.dynamic.ResourceProvider`. Source: `@pulumi/pulumi`, `cmd/dynamic-provider`. The rest
 * is for packaged providers.
 */
export class KindProvider {
  readonly #kind: Kind;
  readonly #settings: (() => StackConfig | undefined) | undefined;
  readonly #owners: ObjectOwners;
  readonly #log: EngineLog | undefined;
  /** Warnings that were shown. */
  readonly #warned = new Set<string>();
  #canRead = true;
  #config: StackConfig | undefined;
  /** The stack of a dynamic resource, once the engine has said it. */
  #stack: string | undefined;

  /** @param settings the settings of a process that configures all its providers at once */
  constructor(kind: Kind, settings?: () => StackConfig | undefined, log?: EngineLog) {
    this.#kind = kind;
    this.#settings = settings;
    this.#log = log;
    this.#owners = new ObjectOwners(kind);
  }

  /** The stock process treats a provider as configured from its first await, so nothing here may await. */
  configure({ config }: { readonly config: StackConfig }): Promise<void> {
    this.#config = config;
    return Promise.resolve();
  }

  async check(
    olds: Properties,
    news: Properties,
    { urn = "" }: CallContext = {},
  ): Promise<{ inputs: Properties; failures: CheckFailure[] }> {
    const { inputs, failures, warnings } = check(this.#kind, news);
    if (failures.length === 0) {
      const isNew = Object.keys(olds).length === 0;
      const changed = filterKeys(inputs, (name) => !isSame(own(inputs, name), own(olds, name)));
      for (const { property, reason } of warnings)
        if (Object.hasOwn(changed, property))
          await this.#warn(`${property}: ${reason}. The service decides about it.`, urn);
      for (const warning of loaderWarnings(this.#kind, changed, isNew)) await this.#warn(warning, urn);
      await this.#checkKey(inputs);
      // The comparison warns about a resource that exists.
      if (isNew) await this.#warnAboutNew(inputs, urn);
    }
    return { inputs, failures: failures.map((failure) => withoutSecretValue(failure, news)) };
  }

  diff(id: string, olds: Properties, news: Properties, { urn = "" }: CallContext = {}): Promise<DiffResult> {
    return withoutStack(async () => {
      const [kind, owners] = [this.#kind, this.#owners];
      const object = owners.object(id, olds);
      await this.#noteStored(id, olds, urn);
      object.claim(olds);
      const result = diff(kind, olds, news);
      for (const warning of warningsOfState(kind, olds, news)) await this.#warn(warning, urn);
      object.replacement = parseDeclared(kind, news);
      owners.key(object.replacement).isCompared = true;
      object.isToBeReplaced ||= result.replaces !== undefined;
      // After a replace that ended halfway, the state still has the old object. Only this case needs a request.
      if (result.lost !== undefined && !(await isGone(() => this.#session(), { kind, id, props: olds })))
        throw new Error(lossRefusal(result.lost));
      return result;
    });
  }

  create(inputs: Properties, { seconds, urn = "" }: CallContext = {}): Promise<CreatedResource> {
    const request = { kind: this.#kind, inputs, urn, owners: this.#owners };
    return withSanitizedError(async () =>
      withinTime(await this.#sessionOf(urn), seconds, (session) => create(session, request)),
    );
  }

  update(
    id: string,
    olds: Properties,
    news: Properties,
    { seconds, urn = "", ignored = [] }: CallContext = {},
  ): Promise<{ outs: Properties }> {
    const stored = { kind: this.#kind, id, props: olds };
    return withSanitizedError(async () =>
      withinTime(await this.#sessionOf(urn), seconds, (session) => update(session, stored, news, ignored)),
    );
  }

  read(id: string, props: Properties, { urn = "" }: CallContext = {}): Promise<ReadResult> {
    return withoutStack(async () => {
      await this.#noteStored(id, props, urn);
      return read(this.#session(), { kind: this.#kind, id, props });
    });
  }

  find(id: string, scope: Properties): Promise<FoundObject | undefined> {
    return withoutStack(() => readUnrecorded(this.#session(), { kind: this.#kind, id, props: scope }));
  }

  locate(id: string): Promise<PlacedId | undefined> {
    return withoutStack(() => locate(this.#session(), this.#kind, id));
  }

  list(place: Properties): Promise<readonly ListedObject[]> {
    return withoutStack(() => list(this.#session(), this.#kind, place));
  }

  delete(id: string, props: Properties, { seconds, urn = "" }: CallContext = {}): Promise<void> {
    return withoutStack(async () => {
      const [kind, owners] = [this.#kind, this.#owners];
      const object = owners.object(id, props);
      if (object.isAdoptedBy(urn)) throw new Error(notReplacedText(kind, id));
      // The engine only drops an old name of the object.
      if (object.isOwnedByAnother(props)) return;
      await withinTime(await this.#sessionOf(urn), seconds, (session) => remove(session, { kind, id, props }, owners));
    });
  }

  /** Once the state has an object, no later run goes on with its create. Settings that are not known yet leave that to a later call. */
  async #noteStored(id: string, props: Properties, urn: string): Promise<void> {
    if (props[MARK] === undefined) return;
    const { path } = parseDeclared(this.#kind, props);
    try {
      const { client, journal } = await this.#sessionOf(urn);
      const place = { url: client.url, kind: this.#kind.name, scope: path };
      await journal.noteStored(place, ({ made, key }) => stateId(this.#kind, made, key) === id.toLowerCase());
    } catch {
      // What the call itself needs it reports.
    }
  }

  #checkKey(inputs: Properties): Promise<void> {
    return withoutStack(async () => {
      try {
        await checkKey(this.#session(), inputs);
      } catch (error) {
        // The key may be that of a resource which is created in this run.
        if (!(error instanceof UnknownSettingError)) throw error;
      }
    });
  }

  async #warnAboutNew(inputs: Properties, urn: string): Promise<void> {
    if (!this.#canRead || !mayMiss(this.#kind, inputs)) return;
    try {
      for (const warning of await warningsOfNew(this.#session(), this.#kind, inputs)) await this.#warn(warning, urn);
    } catch {
      // The create reports what it needs. Checks are made one at a time, so no other one waits for the service.
      this.#canRead = false;
    }
  }

  async #warn(message: string, urn: string): Promise<void> {
    const text = engineText(message);
    if (this.#warned.has(`${urn} ${text}`)) return;
    this.#warned.add(`${urn} ${text}`);
    await this.#log?.warn(text, urn);
  }

  /** @param urn the resource, which the engine names to a packaged provider. Of a dynamic one it says no more than the stack. */
  async #sessionOf(urn: string): Promise<ProviderSession> {
    if (urn !== "") return this.#session(urn, urn);
    this.#stack ??= await this.#log?.stack();
    return this.#session(urn, this.#stack);
  }

  #session(urn = "", owner = UNKNOWN_OWNER): ProviderSession {
    const log: SessionLog = {
      warn: (message) => this.#warn(message, urn),
      info: async (message) => this.#log?.info(engineText(message), urn),
    };
    return sessionOf(this.#config ?? this.#settings?.(), process.env, { owner, log });
  }
}

function isSame(left: Json = null, right: Json = null): boolean {
  return canonicalJson(left) === canonicalJson(right);
}

/**
 * Why the engine must not delete an object that its own resource has just adopted. With `--replace` it creates before it deletes,
 * without asking for a comparison, so the create found the old object.
 */
function notReplacedText({ name }: Kind, id: string): string {
  return `the ${name} ${id} was not replaced, and nothing was written: Pulumi asked for the new object first, and that is the one that was there. Set deleteBeforeReplace: true in the options of the resource, then run pulumi up --replace again`;
}

/**
 * The engine prints the value of the property that a failure names, even if it is a secret. So the reason names the
 * property instead, unless the value is harmless.
 */
function withoutSecretValue({ property, reason, path }: CheckFailure, news: Properties): CheckFailure {
  const value = news[property] ?? null;
  const isHarmless = value === null || typeof value === "boolean";
  const text = isHarmless ? reason : `${path ?? property}: ${reason}`;
  return { property: isHarmless ? engineText(property) : "", reason: engineText(text) };
}
