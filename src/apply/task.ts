import { withArticle } from "../model/text/plural.ts";
import type { Resource } from "../model/resource.ts";
import type { Work } from "../model/change.ts";
import type { Answer } from "../api/client.ts";
import { ChangeError } from "./change-error.ts";
import { operations, type OperationName } from "../api/operations/index.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Call } from "../kinds/kind-parts.ts";
import { kinds } from "../kinds/registry.ts";
import type { Hint } from "../model/command.ts";
import { mapSecrets } from "../model/json/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject, ScopePath } from "../model/live.ts";
import { progressOf, trackWrite, type ApplyContext, type ChangeProgress, type ApplyRun } from "./run-state.ts";
import { TaskLists, type TaskTarget } from "./task-lists.ts";

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
   * Sends a request, with its secrets resolved. A write is tracked.
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
    return operations[operation].method === "GET" ? send() : trackWrite(this.#progress, send);
  }

  /**
   * Sends a write, or a read right before one, unless it would fail (schedule/circuit-breaker.ts). Other changes go on while it waits.
   *
   * @param send gets whether it had to wait
   * @throws ChangeError if it is not sent
   */
  whenServiceAnswers<T extends object>(operation: OperationName, send: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const { pool, circuits, context } = this.#run;
    const onPause = (reason: string, until: number): void => this.reportWait(reason, until);
    return circuits.send(operation, send, { pool, signal: context.signal, onPause });
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

/** The id of the object after a change, and what else is known of it. */
export interface ExecuteResult {
  readonly id: string | null;
  /** The page of an object that is new. */
  readonly link?: string | undefined;
  /** The object as it was created. */
  readonly live?: LiveObject;
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
