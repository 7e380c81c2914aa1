/** What `customTimeouts` do to the calls of the packaged provider. The engine passes the seconds on. */
import { expect, it } from "vitest";
import type { Emulator, Fault } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json/json.ts";
import { normalized } from "../support/normalized.ts";
import type { PluginProcess } from "./support/plugin-process.ts";
import { pluginWorld } from "./support/plugin-world.ts";

const urn = "urn:pulumi:dev::acme::driftline:index:Insight::it";
const insight = { projectId: 2, name: "Signups" };
/** Longer than any test. Milliseconds. */
const ms = 600_000;
const ANSWERED_LATE: Fault = { type: "delay-after", ms };
const RECEIVED_LATE: Fault = { type: "delay-before", ms };

/** The message of a call that must fail. */
async function failure(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(() => undefined).catch((thrown: unknown) => thrown);
  return normalized((error as { details?: string } | undefined)?.details ?? "it did not fail");
}

const limited = (plugin: PluginProcess, method: "create" | "update" | "delete", fields: JsonObject, timeout = 0.5) =>
  plugin.send(method, `${method.charAt(0).toUpperCase()}${method.slice(1)}Request`, { urn, timeout, ...fields });

const writes = ({ requests }: Emulator): readonly string[] =>
  requests.flatMap(({ method }) => (method === "GET" ? [] : [method]));

/**
 * The message of a call whose write is sent, but not answered in its time. A busy machine may need longer than that time
 * to get as far as the write: then the call is made again with twice the time.
 */
async function unanswered(emulator: Emulator, ...[plugin, method, fields]: Parameters<typeof limited>) {
  const before = writes(emulator).length;
  for (let seconds = 0.5; ; seconds *= 2) {
    const message = await failure(limited(plugin, method, fields, seconds));
    if (writes(emulator).length > before) return message;
  }
}

it("a create that is not answered in its time is unknown, and the next run finds its object", async () => {
  const { emulator, plugin, next } = await pluginWorld();
  emulator.faults.add({ method: "POST", fault: ANSWERED_LATE });
  expect(await unanswered(emulator, plugin, "create", { properties: insight })).toMatchSnapshot();
  emulator.faults.clear();
  expect((await (await next()).create("Insight", insight)).id).not.toBe("");
  expect([writes(emulator), emulator.find("insight").length]).toEqual([["POST"], 1]);
});

it("a create that cannot even read its list in its time sends nothing, and the others go on", async () => {
  const { emulator, plugin } = await pluginWorld();
  let answer = (): void => undefined;
  const until = new Promise<void>((resolve) => void (answer = resolve));
  emulator.faults.add({ method: "GET", times: 1, fault: { type: "delay-before", until } });
  const other = plugin.create("Insight", { ...insight, name: "Other" });
  expect(await failure(limited(plugin, "create", { properties: insight }))).toMatchSnapshot();
  answer();
  expect((await other).id).not.toBe("");
  expect(writes(emulator)).toEqual(["POST"]);
});

it("an update and a delete that are not answered in their time are done by the next run", async () => {
  const { emulator, plugin, next } = await pluginWorld();
  const { id, outs } = await plugin.create("Insight", insight);
  const news = { ...insight, name: "Signups 2" };
  emulator.faults.add({ method: "PATCH", fault: RECEIVED_LATE });
  const update = await unanswered(emulator, plugin, "update", { id, olds: outs, news });
  expect(update).toMatchSnapshot("the update");
  const removal = await unanswered(emulator, plugin, "delete", { id, properties: outs });
  expect(removal).toMatchSnapshot("the delete");
  emulator.faults.clear();
  const later = await next();
  const updated = await later.update("Insight", id, outs, news);
  expect(emulator.find("insight")).toMatchObject([{ name: "Signups 2", deleted: false }]);
  await later.remove("Insight", id, updated);
  expect(emulator.find("insight")).toMatchObject([{ deleted: true }]);
});

it("a time that is long enough changes nothing", async () => {
  const { emulator, plugin } = await pluginWorld();
  await limited(plugin, "create", { properties: insight }, 100_000_000);
  expect(writes(emulator)).toEqual(["POST"]);
});
