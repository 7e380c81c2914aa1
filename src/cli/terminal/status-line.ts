import { familyOf } from "../../api/operations/index.ts";
import type { Clock, ListProgress, RequestEvent } from "../../api/client.ts";
import { plural } from "../../model/text/plural.ts";
import { sanitize } from "../../model/text/quote.ts";

/** A request that takes longer is shown. Milliseconds. */
const SLOW_REQUEST = 3_000;
/** How often a slow request is looked for. Milliseconds. */
const LOOK_EVERY = 1_000;

/**
 * The status line: the changes that are made, or the list that is being read, else the number of requests. If the oldest
 * request in flight is slow, the line shows that request.
 */
export class StatusLine {
  readonly #clock: Clock;
  readonly #show: (text: string) => void;
  readonly #inFlight = new Map<symbol, { readonly label: string; readonly since: number }>();
  readonly #lists = new Map<string, ListProgress>();
  readonly #ended = new AbortController();
  #requests = 0;
  #work: (() => string) | undefined;
  /** Until when a limit of requests is waited for. Milliseconds since 1970. */
  #limitedUntil = 0;
  #isWatching = false;

  constructor(clock: Clock, show: (text: string) => void) {
    this.#clock = clock;
    this.#show = show;
  }

  /** Counts a request that has ended. */
  countRequest(): void {
    this.#requests += 1;
    this.#refresh();
  }

  /** Returns a function to call when the request has ended. */
  showSent({ method, path }: Pick<RequestEvent, "method" | "path">): () => void {
    const id = Symbol(path);
    this.#inFlight.set(id, { label: `${method} ${path}`, since: this.#clock.now() });
    void this.#watch();
    return () => void this.#inFlight.delete(id);
  }

  /** From now on the line shows this, and not what is read for it. */
  showWork(state: () => string): void {
    this.#work = state;
    this.#refresh();
  }

  showLimit(waitMs: number): void {
    this.#limitedUntil = Math.max(this.#limitedUntil, this.#clock.now() + waitMs);
    this.#refresh();
    void this.#watch();
  }

  showList(list: ListProgress): void {
    this.#lists.delete(list.path);
    if (list.total !== undefined && list.pages < list.total) this.#lists.set(list.path, list);
    this.#refresh();
  }

  /** Clears the line. It stays empty. */
  end(): void {
    this.#ended.abort();
    this.#show("");
  }

  /** Keeps the line true while something is waited for. */
  async #watch(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    while (this.#isWaiting && !this.#ended.signal.aborted) {
      await this.#clock.sleep(LOOK_EVERY, this.#ended.signal);
      if (this.#isWaiting) this.#refresh();
    }
    this.#isWatching = false;
  }

  get #isWaiting(): boolean {
    return this.#inFlight.size > 0 || this.#limitedUntil > this.#clock.now();
  }

  #refresh(): void {
    if (this.#ended.signal.aborted) return;
    const [oldest] = this.#inFlight.values();
    const waited = oldest === undefined ? 0 : this.#clock.now() - oldest.since;
    if (oldest !== undefined && waited >= SLOW_REQUEST)
      return this.#show(sanitize(`waiting for ${oldest.label} (${Math.round(waited / 1000)} s)`));
    this.#show(this.textWith(this.#limitedUntil - this.#clock.now()));
  }

  /** How far it is, and how long a limit of requests is waited for, if it is. */
  textWith(waitMs: number): string {
    const list = [...this.#lists.values()].at(-1);
    const state =
      this.#work?.() ?? (list === undefined ? `${plural(this.#requests, "request")} so far` : listText(list));
    return waitMs > 0 ? `${state}; waiting ${String(Math.ceil(waitMs / 1000))} s for the rate limit` : state;
  }
}

/** `listing batch exports 3/21 pages`. */
function listText({ operation, pages, total }: ListProgress): string {
  return `listing ${familyOf(operation).replaceAll("_", " ")} ${String(pages)}/${String(total)} pages`;
}
