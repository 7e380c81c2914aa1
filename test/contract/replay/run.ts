import { concernsInterface, isDone, partsOf, type Exchange } from "./recording.ts";
import { createEffects, lookAfter } from "./effects.ts";
import { createIdMap } from "./ids.ts";
import { differences, type Seen } from "./compare.ts";
import { EXCEPTIONS } from "./exceptions.ts";
import { isObject, parseJson, type Json } from "../../../src/emulator/json.ts";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../src/emulator/index.ts";
import { worldBefore } from "./world.ts";

/** An exchange that the emulator answers differently. */
export interface Disagreement {
  readonly exchange: Exchange;
  readonly differences: readonly string[];
  /** The known reason; undefined if the difference was not investigated. */
  readonly reason: string | undefined;
}

/** The result of a replay. */
export interface Replay {
  /** The number of exchanges that concern the interface. */
  readonly compared: number;
  readonly disagreements: readonly Disagreement[];
  /** Listed exceptions that did not occur and should be removed. */
  readonly needless: readonly number[];
}

/** The number of exchanges that concern the interface. Another number means another recording. */
export const DENOMINATOR = 379;

/** Returns the percentage of exchanges that agree. */
export function agreement({ compared, disagreements }: Replay): number {
  return (100 * (compared - disagreements.length)) / compared;
}

/**
 * Sends the recorded requests, in their order, to an emulator that begins like the recorded server. `options` make it
 * another one, to see whether the comparison notices.
 */
export async function replay(exchanges: readonly Exchange[], options: EmulatorOptions = {}): Promise<Replay> {
  const emulator = await startEmulator({ ...worldBefore(exchanges), ...options });
  try {
    const disagreements = await compareAll(emulator, exchanges);
    const lines = new Set(disagreements.map(({ exchange }) => exchange.line));
    return {
      compared: exchanges.filter(concernsInterface).length,
      disagreements,
      needless: Object.keys(EXCEPTIONS)
        .map(Number)
        .filter((line) => !lines.has(line)),
    };
  } finally {
    await emulator.close();
  }
}

async function compareAll(emulator: Emulator, exchanges: readonly Exchange[]): Promise<readonly Disagreement[]> {
  const found: Disagreement[] = [];
  const ids = createIdMap();
  const effects = createEffects(ids);
  // The key without restriction, under any name of the recording.
  const looking = exchanges.find(({ key }) => key?.endsWith("legacy") === true)?.key ?? null;
  const look = (path: string): Promise<Seen> => send(emulator, "GET", path, null, looking);
  for (const exchange of exchanges) {
    if (!concernsInterface(exchange)) {
      besides(emulator, exchange);
      continue;
    }
    const { reason, skipped = false } = EXCEPTIONS[exchange.line] ?? {};
    if (skipped) {
      found.push({ exchange, differences: ["not sent"], reason });
      continue;
    }
    const path = ids.path(exchange.path);
    const given = await send(emulator, exchange.method, path, ids.json(exchange.body), exchange.key);
    const both = isDone(exchange) && isDone({ method: exchange.method, status: given.status });
    if (both && exchange.method === "POST") ids.learn(exchange.path, exchange.response, given.response);
    const wrong = [...differences(exchange, given), ...effects.check(exchange, given.response)];
    if (both) wrong.push(...(await lookAfter(exchange, path, given.response, look)));
    if (wrong.length > 0) found.push({ exchange, differences: wrong, reason });
  }
  return found;
}

/** Applies recorded events outside the interface that affect it: dashboards are created and deleted. */
function besides(emulator: Emulator, exchange: Exchange): void {
  const { family, rest } = partsOf(exchange.path);
  const project = Number(exchange.path.split("/")[3]);
  if (family !== "dashboards" || !isDone(exchange) || !isObject(exchange.response)) return;
  const team = emulator.dump().project.find((row) => row.id === project);
  if (team === undefined) return;
  const known = Array.isArray(team["dashboards"]) ? team["dashboards"].map(Number) : [];
  const id = Number(exchange.response["id"]);
  const gone = rest.length > 0 && exchange.response["deleted"] === true;
  emulator.editProject(project, { dashboards: gone ? known.filter((other) => other !== id) : [...known, id] });
}

async function send(emulator: Emulator, method: string, path: string, body: Json, key: string | null): Promise<Seen> {
  const form = typeof body === "string" && /^\w+=/.test(body);
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  if (body !== null) headers["content-type"] = form ? "application/x-www-form-urlencoded" : "application/json";
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(emulator.url + path, { method, headers, ...(body === null ? {} : { body: text }) });
  const answer = await response.text();
  return { status: response.status, response: answer === "" ? null : (parseJson(answer) ?? answer) };
}
