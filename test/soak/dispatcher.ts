/** Requests that go to the emulator's own handler without a socket: the only thing that a soak replaces. */
import { Dispatcher, errors } from "undici";
import type { createEmulator } from "../../src/emulator/emulator.ts";
import type { SimulatedClock } from "./clock.ts";

type Fetch = ReturnType<typeof createEmulator>["fetch"];
type Headers = Readonly<Record<string, string>>;

/** The origin of the emulator on the simulated network. */
export const ORIGIN = "http://emulator.test";

/** Connects a real client to a simulated network with answers, resets and timeouts on a simulated clock. */
export class InProcessDispatcher extends Dispatcher {
  readonly #fetch: Fetch;
  readonly #clock: SimulatedClock;
  constructor(fetch: Fetch, clock: SimulatedClock) {
    super();
    this.#fetch = fetch;
    this.#clock = clock;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = createExchange(options, handler, this.#clock);
    void this.#carry(options, exchange);
    return true;
  }

  async #carry(options: Dispatcher.DispatchOptions, exchange: Exchange): Promise<void> {
    const body = typeof options.body === "string" ? options.body : undefined;
    const headers = {
      ...(options.headers as Headers),
      ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
    };
    const request = new Request(`${ORIGIN}${options.path}`, {
      method: options.method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const response = await this.#fetch(request, { outgoing: exchange.outgoing });
    if (exchange.isTaken()) return;
    exchange.start(response.status, Object.fromEntries(response.headers));
    exchange.piece(Buffer.from(await response.arrayBuffer()));
    exchange.end();
  }
}

/** One request in progress, with the socket calls that the emulator's faults use. */
interface Exchange {
  readonly start: (status: number, headers: Headers) => void;
  readonly piece: (bytes: Uint8Array) => void;
  readonly end: () => void;
  /** Whether a fault has sent or broken the answer itself. */
  readonly isTaken: () => boolean;
  readonly outgoing: object;
}

function createExchange(
  { headersTimeout, bodyTimeout }: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
  clock: SimulatedClock,
): Exchange {
  let isOver = false;
  let isTaken = false;
  let callOff = (): void => undefined;
  const fail = (error: Error): void => {
    callOff();
    if (isOver) return;
    isOver = true;
    handler.onResponseError?.(controller, error);
  };
  const expect = (ms: number | null | undefined, error: () => Error): void => {
    callOff();
    if (typeof ms === "number" && ms > 0) callOff = clock.after(ms, () => fail(error()));
  };
  const controller: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    abort: fail,
    pause: () => undefined,
    resume: () => undefined,
  };
  const start: Exchange["start"] = (status, headers) => {
    if (isOver) return;
    expect(bodyTimeout, () => new errors.BodyTimeoutError());
    handler.onResponseStart?.(controller, status, { ...headers });
  };
  const piece: Exchange["piece"] = (bytes) => {
    if (isOver) return;
    expect(bodyTimeout, () => new errors.BodyTimeoutError());
    handler.onResponseData?.(controller, Buffer.from(bytes));
  };
  const end = (): void => {
    callOff();
    if (isOver) return;
    isOver = true;
    handler.onResponseEnd?.(controller, {});
  };
  handler.onRequestStart?.(controller, {});
  expect(headersTimeout, () => new errors.HeadersTimeoutError());
  const reset = (): void => {
    isTaken = true;
    fail(new errors.SocketError("other side closed"));
  };
  const outgoing = {
    socket: {
      resetAndDestroy: reset,
      // Bytes after the end of the answer are not part of an answer.
      write: (_text: string, written: () => void) => written(),
      destroySoon: () => undefined,
    },
    flushHeaders: () => undefined,
    once: () => undefined,
    get destroyed() {
      return isOver;
    },
    destroy: reset,
    writeHead: (status: number, headers: Headers) => {
      isTaken = true;
      start(status, headers);
    },
    write: (bytes: Uint8Array, written: () => void) => {
      piece(bytes);
      written();
    },
    end,
  };
  return { start, piece, end, isTaken: () => isTaken, outgoing };
}
