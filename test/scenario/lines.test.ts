/** `--progress json`: every line of stderr is JSON. */
import { expect, it } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../src/model/json/json.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

/** Fails where a line is no event. */
function eventsOf(stderr: string): readonly JsonObject[] {
  return stderr
    .trimEnd()
    .split("\n")
    .map((line) => {
      const event = JSON.parse(line) as Json;
      if (!isJsonObject(event) || event["type"] !== "driftline.progress") throw new Error(`no event: ${line}`);
      return event;
    });
}

async function declaring(fields: object): Promise<Workspace> {
  const space = await workspace();
  await space.configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", ...fields } } });
  return space;
}

it("the details of --verbose, and the requests", async () => {
  const { run } = await declaring({ enforce_2fa: true });
  const { stderr } = await run(["plan", "--verbose", "--progress=json"]);
  const events = eventsOf(stderr);
  expect(events).toContainEqual(expect.objectContaining({ event: "message", text: "read driftline.yaml" }));
  expect(events).toContainEqual(expect.objectContaining({ event: "request", method: "GET", status: 200 }));
});

it("diagnostics of the configuration, with their place", async () => {
  const { run } = await declaring({ nmae: "Acme" });
  const { code, stderr } = await run(["plan", "--progress", "json"]);
  expect(code).toBe(10);
  expect(eventsOf(stderr)).toContainEqual(
    expect.objectContaining({ event: "diagnostic", severity: "error", file: "driftline.yaml", line: 5 }),
  );
});

it("diagnostics of the service, and mistakes on the command line", async () => {
  const space = await declaring({ domains: { corp: { domain: "acme.com" } } });
  space.emulator.faults.add({ path: "/domains", fault: { type: "status", status: 403 } });
  const { stderr } = await space.run(["apply", "--yes", "--progress", "json"]);
  expect(eventsOf(stderr)).toContainEqual(expect.objectContaining({ event: "diagnostic", code: "access_denied" }));
  const usage = await space.run(["plan", "--progress", "json", "--no-such-option"]);
  expect(usage.code).toBe(10);
  expect(eventsOf(usage.stderr)[0]).toMatchObject({ event: "diagnostic", code: "usage" });
});
