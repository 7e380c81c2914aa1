/** What the handle of an emulator does that no request shows. What requests show is in test/contract/rows. */
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { loadSeed, startEmulator } from "../../../src/emulator/index.ts";
import { ORG, start } from "./harness.ts";

const DOMAINS = `/api/organizations/${ORG}/domains/`;

describe("an emulator", () => {
  test("makes the same ids from the same random numbers, and different ones from constant ones", async () => {
    const options = { now: () => new Date(0), random: () => 0.25 };
    const texts = [];
    for (const { send } of [await start(options), await start(options)])
      texts.push((await send("POST", "/api/projects/2/insights/", { name: "n" })).text);
    expect(texts[0]).toBe(texts[1]);
    const { emulator } = await start({ random: () => 0 });
    const made = ["a", "b"].map((name) => emulator.insert("insight", { project: 2 }, { name }));
    expect(made[0]?.["short_id"]).not.toBe(made[1]?.["short_id"]);
  });

  test("finds copies that are independent of the store", async () => {
    const { emulator } = await start();
    const destination = { type: "S3", config: { bucket_name: "b" } };
    emulator.insert("batch_export", { project: 2 }, { name: "x", destination });
    for (const row of emulator.find("batch_export")) Object.assign(row["destination"] as object, { type: "changed" });
    expect(emulator.find("batch_export", (row) => row["name"] === "x")).toMatchObject([{ destination }]);
  });

  test("waits with the sleep that it is given, for latency and faults", async () => {
    const waits: number[] = [];
    const sleep = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms));
    const { emulator, send } = await start({ latencyMs: { min: 10, max: 20 }, random: () => 0.5, sleep });
    emulator.faults.add({ nth: 1, fault: { type: "delay-before", ms: 30 } });
    emulator.faults.add({ nth: 1, fault: { type: "delay-after", ms: 40 } });
    const slow = emulator.faults.add({ nth: 2, fault: { type: "slow-drip", bytes: 500, ms: 9 } });
    await send("GET", DOMAINS);
    expect(waits).toEqual([15, 30, 40]);
    const { text } = await send("GET", `/api/organizations/${ORG}/`);
    expect(waits.slice(3)).toEqual([15, ...Array.from({ length: Math.ceil(text.length / 500) }, () => 9)]);
    expect([slow.matches, slow.hits]).toEqual([2, 1]);
  });

  test("logs fewer requests if bodies are large, in the same array", async () => {
    const { emulator, send } = await start();
    const { requests } = emulator;
    const description = "x".repeat(12 * 1024 * 1024);
    for (const name of ["a", "b", "c"]) await send("POST", "/api/projects/2/insights/", { name, description });
    expect(requests.length).toBe(2);
    emulator.clearRequests();
    expect(requests).toEqual([]);
  });

  test("refuses connections once it is closed, and to start on a port that is in use", async () => {
    const { emulator, send } = await start();
    const port = Number(new URL(emulator.url).port);
    await expect(startEmulator({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await expect(startEmulator({ controlPort: port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await send("GET", DOMAINS);
    await emulator.close();
    await expect(send("GET", DOMAINS)).rejects.toThrow("fetch failed");
  });

  test("has a control interface only if it is asked for, and on the loopback address only", async () => {
    expect((await start()).emulator.controlUrl).toBeUndefined();
    const { emulator } = await start({ host: "0.0.0.0", controlPort: 0 });
    expect(new URL(emulator.controlUrl ?? "").hostname).toBe("127.0.0.1");
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const outside = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
    const reaches = (url: string, host: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect(Number(new URL(url).port), host, () => resolve(true));
        socket.on("error", () => resolve(false));
        socket.on("connect", () => socket.destroy());
      });
    if (outside === undefined) return;
    expect(await reaches(emulator.controlUrl ?? "", outside.address)).toBe(false);
    expect(await reaches(emulator.url, outside.address)).toBe(true);
  });
});

test("a seed that is no JSON is refused, and one with several problems names all of them", () => {
  expect(() => loadSeed("{")).toThrow("not JSON");
  expect(() => loadSeed('{"organizations":[{},{"name":"b","members":[{}]}]}')).toThrow(
    expect.objectContaining({ problems: [expect.any(String), expect.any(String)] }),
  );
});
