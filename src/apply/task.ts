import { withArticle } from "../model/text/plural.ts";
import type { Resource } from "../model/resource.ts";
import type { Work } from "../model/change.ts";
import type { Answer } from "../api/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import { operations, type OperationName } from "../api/operations/index.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Call } from "../kinds/kind-parts.ts";
import { kinds } from "../kinds/registry.ts";
import type { Hint } from "../model/command.ts";
import { mapSecrets } from "../model/json/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject, ScopePath } from "../model/live.ts";
import { isOutOfOrder, type CircuitRefusal } from "./schedule/circuit-breaker.ts";
import { progressOf, trackWrite, type ApplyContext, type ChangeProgress, type ApplyRun } from "./run-state.ts";
import { TaskLists, type TaskTarget } from "./task-lists.ts";

/** Milliseconds. */
const READ_AGAIN_AFTER = 1_000;

/** Why a change did not end as applied. */
export class ChangeError extends Error {
  readonly status: "failed" | "skipped" | "unverified" | "unknown";
  readonly code: string;
  readonly hint: Hint;
  readonly id: string | null;
  readonly paths: readonly string[] | undefined;
  constructor(
    status: ChangeError["status"],
    code: string,
    message: string,
    { hint, id = null, paths }: ChangeErrorDetails,
  ) {
    super(message);
    this.name = "ChangeError";
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.id = id;
    this.paths = paths;
  }
}

/** What is known about a failed change besides its message. */
interface ChangeErrorDetails {
  readonly hint: Hint;
  /** The object, if it exists by now. */
  readonly id?: string | null | undefined;
  /** JSON Pointers of the declared fields that the error is about. */
  readonly paths?: readonly string[] | undefined;
}

/** The error for a change that an outage stops before it is sent. */
export function refusedBy({ code, message, hint }: CircuitRefusal, id: string | null = null): ChangeError {
  return new ChangeError("skipped", code, message, { hint, id });
}

/** The error for a write that the kind of an object does not have. @param what the end of a sentence */
export function unsupported({ kind }: Task, what: string, hint: Hint, id?: string): ChangeError {
  return new ChangeError("failed", "unsupported", `${withArticle(kind.name)} cannot be ${what}`, { hint, id });
}

/** A change that is being executed. Every request of a change goes through its task, which counts it. */
export class Task {
  readonly kind: Kind;
  readonly scope: string;
  readonly path: ScopePath;
  readonly context: ApplyContext;
  /** Its lists, and what their rows are. */
  readonly lists: TaskLists;
  readonly #run: ApplyRun;
  readonly #target: TaskTarget;
  readonly #progress: ChangeProgress;

  constructor(run: ApplyRun, target: TaskTarget) {
    this.kind = target.kind;
    this.scope = target.scope;
    this.path = target.path;
    this.context = run.context;
    this.lists = new TaskLists(run, target);
    this.#run = run;
    this.#target = target;
    this.#progress = progressOf(run, target.address);
  }

  /** Returns the task for the routes of a sibling kind, in whose list the object was found. */
  asKind(name: KindName): Task {
    return new Task(this.#run, { ...this.#target, kind: kinds[name] });
  }

  /**
   * Sends a request, with its secrets resolved. A write is tracked, and blocked if the key lacks its permission.
   *
   * @throws ApiError
   */
  async call({ operation, path, body }: Call): Promise<Answer> {
    const content = body === undefined ? undefined : mapSecrets(body, this.context.secrets);
    const send = (onRequest?: () => void): Promise<Answer> =>
      this.context.client.request(operation, {
        path: { ...this.path, ...path },
        body: content,
        onRequest: () => {
          this.#progress.requests += 1;
          onRequest?.();
        },
      });
    return this.#run.missingPermissions.send(operation, () =>
      operations[operation].method === "GET" ? send() : trackWrite(this.#progress, send),
    );
  }

  /**
   * Sends a write, once the service is not known to be out of order. Other changes go on while this one waits.
   *
   * @param send gets whether it had to wait
   */
  whenServiceAnswers<T extends { readonly error?: unknown }>(
    operation: OperationName,
    send: (hasWaited: boolean) => Promise<T>,
  ): Promise<T | { readonly refused: CircuitRefusal }> {
    const { pool, circuits, context } = this.#run;
    const onPause = (reason: string, until: number): void => this.reportWait(reason, until);
    return circuits.send(operation, send, { pool, signal: context.signal, onPause });
  }

  /**
   * Reads an object that is about to be written, once the service is not known to be out of order. Nothing was sent yet, so a change
   * does not fail because of one read: it waits, and reads once more. It is not read if its write would be refused.
   *
   * @throws ApiError; ChangeError `skipped` if an outage does not end
   */
  async readBeforeWrite(call: Call): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      this.#run.missingPermissions.check(call.operation);
      const sent = await this.whenServiceAnswers(call.operation, async (hasWaited) => {
        try {
          return { answer: await this.call(call) };
        } catch (error) {
          if (!(error instanceof ApiError) || !isOutOfOrder(error) || (tries > 1 && !hasWaited)) throw error;
          return { error };
        }
      });
      if ("refused" in sent) throw refusedBy(sent.refused);
      if (sent.error === undefined) return sent.answer;
      await this.pause(READ_AGAIN_AFTER);
    }
  }

  /** Records that a write which got no answer has taken effect. */
  recordSuccess(operation: OperationName): void {
    this.#run.circuits.succeeded(operation);
  }

  /** Whether no other change has the object. The list of an organization shows the exports of its projects, too. */
  isFree(live: LiveObject): boolean {
    return [undefined, this.#target.address].includes(this.#run.holders.holderOf(live.kind, live.id));
  }

  /** Gives an object to this change. */
  hold(id: string): void {
    this.#run.holders.hold(this.#target.address, this.kind.name, id);
  }

  /** Works once the other creates of its kind in its scope are as far, or have ended. Other changes go on. */
  withOthers<T>(work: () => Promise<T>): Promise<T> {
    const { pool, gathering } = this.#run;
    return pool.outside(async () => {
      await gathering.meet(this.#target.address);
      return work();
    });
  }

  reportWait(reason: string, until: number): void {
    this.context.onWait?.({ address: this.#target.address, reason, until });
  }

  /** Waits for a number of milliseconds or until an interruption, while other changes go on. */
  pause(ms: number): Promise<void> {
    return this.#run.pool.outside(() => this.context.clock.sleep(ms, this.context.signal));
  }
}

/** A create that another run was faster with: its object is the one of the resource. */
export interface Yielded {
  /** Id of the own object. Absent if there was none. */
  readonly takenBack?: string | undefined;
}

/** The id of the object after a change, and what remains to be done. */
export interface ExecuteResult {
  readonly id: string | null;
  /** The page of an object that is new. */
  readonly link?: string | undefined;
  /** Set if the object is not yet as declared: does what has to wait for others. */
  readonly rest?: () => Promise<void>;
  /** Set if the object is that of another run. */
  readonly yielded?: Yielded | undefined;
  /** Set if the object turned out to be as declared: why. Nothing was written then. */
  readonly unchanged?: string;
}

/** The declared resource of a change that writes one. */
export function resourceOf(work: Work): Resource {
  if (work.resource !== undefined) return work.resource;
  throw new ChangeError("failed", "undeclared", "only declared resources are written", { hint: "Plan again." });
}
