import type { Emulator } from "../../src/emulator/index.ts";

/** The lists of a path show nothing, as many times as given: a copy of the service's data that lags behind. */
export function hideLists({ faults }: Emulator, path: RegExp, times = Infinity): void {
  const text = JSON.stringify({ count: 0, next: null, previous: null, results: [] });
  const fault = { type: "answer", status: 200, contentType: "application/json", text } as const;
  faults.add({ method: "GET", path, times, fault });
}
