/** A mistake in code is no failure of the network: nothing that is said about the network would help. */
import { AssertionError } from "node:assert";
import { Dispatcher } from "undici";
import { expect, it } from "vitest";
import { connect, create, failureOf, read } from "./support.ts";

/** Where a request fails. */
const PLACES = {
  "before it is sent": () => undefined,
  "after it was sent": (handler: Dispatcher.DispatchHandler, controller: Dispatcher.DispatchController) =>
    handler.onRequestStart?.(controller, {}),
};

class Failing extends Dispatcher {
  readonly #error: unknown;
  readonly #start: (typeof PLACES)[keyof typeof PLACES];
  requests = 0;

  constructor(error: unknown, start: (typeof PLACES)[keyof typeof PLACES]) {
    super();
    this.#error = error;
    this.#start = start;
  }

  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;
    this.requests += 1;
    this.#start(handler, controller);
    handler.onResponseError?.(controller, this.#error as Error);
    return true;
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}

const DEFECTS: readonly (readonly [string, unknown])[] = [
  ["a method that is missing", new TypeError("this[_].connect is not a function")],
  ["a wrong argument of Node", Object.assign(new TypeError("no"), { code: "ERR_INVALID_ARG_TYPE" })],
  ["a wrong number", new RangeError("no")],
  ["a name that is missing", new ReferenceError("no")],
  ["an assertion", new AssertionError({ message: "no" })],
  ["an error that says nothing", new Error("no")],
];

for (const [place, start] of Object.entries(PLACES)) {
  for (const [name, error] of DEFECTS) {
    it(`${name}, ${place}, is thrown as it is, and not tried again`, async () => {
      const dispatcher = new Failing(error, start);
      for (const send of [read, create])
        await expect(send(connect("http://service.example", { dispatcher }))).rejects.toBe(error);
      expect(dispatcher.requests).toBe(2);
    });
  }
}

it("an error of the system is a failure of the network", async () => {
  const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  const dispatcher = new Failing(reset, PLACES["before it is sent"]);
  expect(await failureOf(read(connect("http://service.example", { dispatcher })))).toMatchObject({ kind: "network" });
});
