/** The service in its own process, so that its work does not count as work of the client. It is controlled over IPC. */
import { startEmulator } from "driftline/emulator";
import { startCache } from "./cache.ts";
import { scenarios } from "./scenarios.ts";

/** The answer to a question of the benchmark. */
export type Answer =
  | { readonly type: "listening"; readonly url: string; readonly key: string }
  /** The paths of the requests since the last question, in order. */
  | { readonly type: "requests"; readonly paths: readonly string[] };

const [, , name = "", latency = "0", pageSize = "500"] = process.argv;
const scenario = scenarios.find((one) => one.name === name);
const emulator = await startEmulator({
  seed: scenario?.seed,
  maxPageSize: Number(pageSize),
  dialect: scenario?.dialect ?? (scenario?.limit === undefined ? "document" : "deployed"),
  rateLimits: scenario?.limit !== undefined,
});
const cache = await startCache(emulator.url, Number(latency));

process.on("message", () => answer({ type: "requests", paths: cache.take() }));
// The benchmark has ended.
process.on("disconnect", () => process.exit());
answer({ type: "listening", url: cache.url, key: emulator.key });

function answer(message: Answer): void {
  process.send?.(message);
}
