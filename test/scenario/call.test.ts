import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { AT, ORG, seedWith } from "../support/call.ts";
import type { CliResult } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { linesWith, normalized } from "../support/normalized.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const INSIGHTS = Array.from({ length: 25 }, (_, index) => ({ name: `I ${String(index)}` }));
const SEED = seedWith(INSIGHTS);

const seeded = () => workspace({ seed: SEED });

function writesOf({ emulator }: Workspace): readonly string[] {
  return emulator.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
}

/** A failure says what is wrong and what to do, and nothing was sent. */
function expectUnsent(space: Workspace, result: CliResult, code: number): void {
  expect(result.code, result.stderr).toBe(code);
  expect(result.stderr).toContain("hint: ");
  expect(result.stdout).toBe("");
  expect(space.emulator.requests).toEqual([]);
}

describeDialects("a mistyped call", () => {
  it.each([
    [["domains.lst", AT], "unknown_operation"],
    [["domain.list", AT], "unknown_operation"],
    [["insights.trends", "project_id=2"], "unknown_operation"],
    [["batch_exports"], "unknown_operation"],
    [["nothing.of.the.kind"], "unknown_operation"],
    [[], "usage"],
    [["domains.list", `organisation_id=${ORG}`], "unknown_parameter"],
    [["domains.list", AT, "limits=1"], "unknown_parameter"],
    [["domains.list", AT, "limit=ten"], "invalid_parameter"],
    [["domains.list", AT, "limit=1", "limit=2"], "invalid_parameter"],
    [["domains.list", AT, "limit"], "invalid_parameter"],
    [["domains.list"], "missing_parameter"],
    [["domains.list", "organization_id=acme"], "invalid_parameter"],
    [["domains.update", AT, `id=${ORG}`, "jit_provisioning_enabled=yes", "--yes"], "invalid_parameter"],
    [["organizations.list", "--all", "--yes", "--body", "missing.json"], "invalid_parameter"],
    [["organizations.get", `id=${ORG}`, "--all"], "usage"],
    [["insights.list", "project_id=2", "format=csv", "--all"], "usage"],
    [["insights.list", "project_id=2", "format=xml"], "invalid_parameter"],
    [["insights.trend", "project_id=2"], "missing_parameter"],
    [["insights.trend", "project_id=2", "events:=[{"], "invalid_parameter"],
    [["insights.trend", "project_id=2", 'events:=[{"id":"a"}]', "date_from=yesterday"], "invalid_parameter"],
    [["insights.trend", "project_id=2", 'events:=[{"id":"a"}]', "dispaly=BoldNumber"], "unknown_parameter"],
  ])("%j is refused with the correct form", async (args, code) => {
    const space = await seeded();
    const result = await space.run(["call", ...args]);
    expectUnsent(space, result, 10);
    expect(linesWith(result.stderr, `error ${code}: `)).toMatchSnapshot();
  });

  it("does not quote a body that does not parse", async () => {
    const space = await seeded();
    await writeFile(join(space.folder, "body.json"), '{"password": "hush-hush"');
    const result = await space.run(["call", "domains.create", AT, "--yes", "--body", "body.json"]);
    expectUnsent(space, result, 10);
    expect(result.stderr).not.toContain("hush");
  });
});

describeDialects("parameters", () => {
  it("have the types of the table, and are sent as path, query or body", async () => {
    const space = await seeded();
    await writeFile(join(space.folder, "query.json"), '{"kind": "TrendsQuery", "series": []}');
    await writeFile(join(space.folder, "text.txt"), "of a file");
    const args = [
      "project_id=2",
      "name=true",
      "order=7",
      "saved=true",
      'tags=["a"]',
      "query=@query.json",
      "description=@text.txt",
    ];
    const result = await space.run(["call", "insights.create", ...args, "derived_name:=null", "format=json", "--yes"]);
    expect(result.code, result.stderr).toBe(0);
    expect(space.emulator.requests.at(-1)).toMatchObject({
      method: "POST",
      query: { format: "json" },
      body: {
        name: "true",
        order: 7,
        saved: true,
        tags: ["a"],
        query: { kind: "TrendsQuery", series: [] },
        description: "of a file",
        derived_name: null,
      },
    });
  });

  it("override those of the body's file", async () => {
    const space = await seeded();
    await writeFile(join(space.folder, "body.json"), '{"target_email": "a@b.co", "level": 1}');
    await space.run(["call", "invites.create", AT, "level=8", "--body", "body.json", "--yes"]);
    expect(space.emulator.requests.at(-1)?.body).toEqual({ target_email: "a@b.co", level: 8 });
  });

  it("of the body that the interface document does not list are sent, with a warning", async () => {
    const space = await seeded();
    await writeFile(join(space.folder, "body.json"), '{"domian": "x"}');
    const { stderr } = await space.run(["call", "domains.create", AT, "domain=a.org", "--body", "body.json", "--yes"]);
    expect(linesWith(stderr, "warning unknown_parameter: ")).toMatchSnapshot();
    expect(writesOf(space)).toHaveLength(1);
  });

  it("that are deprecated are sent with a warning that names what replaces them", async () => {
    const space = await seeded();
    const args = ["project_id=2", 'events:=[{"id":"a"},{"id":"b"}]', "funnel_window_days=7"];
    const { code, stderr } = await space.run(["call", "insights.funnel", ...args]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("funnel_window_interval_type");
    expect(linesWith(stderr, "warning deprecated_parameter: ")).toMatchSnapshot();
  });
});

describeDialects("the files of a plugin", () => {
  const CALL = ["call", "pipeline_destinations.update_source", AT, "id=1", "--yes"];

  it.each([
    ["nothing", [], "missing_parameter"],
    ["a parameter", ["name=x"], "invalid_parameter"],
    ["a file without a name", ["--file", "index.ts"], "invalid_parameter"],
    ["a file twice", ["--file", "a.ts=a.ts", "--file", "a.ts=a.ts"], "invalid_parameter"],
    ["a file that is missing", ["--file", "a.ts=missing.ts"], "invalid_parameter"],
    ["an empty map", ["--body", "empty.json"], "missing_parameter"],
    ["a list", ["--body", "list.json"], "invalid_parameter"],
    ["a map of other values", ["--body", "map.json"], "invalid_parameter"],
    ["a field of a plugin", ["--body", "field.json"], "invalid_parameter"],
  ])("are not %s, and the error says what is expected", async (_name, args, code) => {
    const space = await seeded();
    const bodies = { empty: {}, list: [{ "a.ts": "x" }], map: { files: { "a.ts": "x" } }, field: { name: "x" } };
    for (const [name, body] of Object.entries(bodies))
      await writeFile(join(space.folder, `${name}.json`), JSON.stringify(body));
    await writeFile(join(space.folder, "a.ts"), "export {}");
    const result = await space.run([...CALL, ...args]);
    expectUnsent(space, result, 10);
    expect(linesWith(result.stderr, `error ${code}: `)).toMatchSnapshot();
  });

  it("are sent as a map of names and texts, the body's first", async () => {
    const space = await seeded();
    await writeFile(join(space.folder, "map.json"), JSON.stringify({ "index.ts": "old", "plugin.json": "{}" }));
    await writeFile(join(space.folder, "a.ts"), "export {}");
    await space.run([...CALL, "--body", "map.json", "--file", "index.ts=a.ts"]);
    expect(space.emulator.requests.at(-1)).toMatchObject({
      method: "PATCH",
      body: { "index.ts": "export {}", "plugin.json": "{}" },
    });
  });

  it("belong to update_source only, and not to the profile of the document", async () => {
    const space = await seeded();
    await writeFile(join(space.folder, "a.ts"), "export {}");
    const args = ["--file", "a.ts=a.ts"];
    const other = await space.run(["call", "pipeline_destinations.update", AT, "id=1", "--yes", ...args]);
    expectUnsent(space, other, 10);
    expect(linesWith(other.stderr, "error usage: ")).toMatchSnapshot();
    expectUnsent(space, await space.run([...CALL, ...args, "--profile", "document"]), 10);
    await space.run([...CALL, "name=x", "--profile", "document"]);
    expect(space.emulator.requests.at(-1)?.body).toEqual({ name: "x" });
  });
});

describeDialects("a writing operation", () => {
  const CREATE = ["call", "domains.create", AT, "domain=acme.org"];

  it("needs --yes without a terminal", async () => {
    const space = await seeded();
    const result = await space.run(CREATE);
    expectUnsent(space, result, 10);
    expect(result.stderr).toContain("--yes");
    expect(linesWith(result.stderr, "error not_confirmed: ")).toMatchSnapshot();
    expect((await space.run([...CREATE, "--yes"])).code).toBe(0);
  });

  it.each([
    ["yes", 0, 1],
    ["y", 0, 1],
    [undefined, 1, 0],
  ])("asks on a terminal: %j", async (answer, code, writes) => {
    const space = await seeded();
    const questions: string[] = [];
    const ask = (question: string): Promise<string | undefined> => {
      questions.push(question);
      return Promise.resolve(answer);
    };
    const result = await space.run(CREATE, { runtime: { interactive: true, ask } });
    expect(result.code).toBe(code);
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain("domains.create");
    expect(normalized(questions[0])).toMatchSnapshot();
    expect(writesOf(space)).toHaveLength(writes);
  });

  it("that cannot be undone says so if it is refused, asked about, shown or sent", async () => {
    const space = await seeded();
    const invite = ["call", "invites.create", AT, "target_email=a@b.co"];
    const refused = await space.run(invite);
    expect(linesWith(refused.stderr, "error not_confirmed: ")).toMatchSnapshot("refused");
    const { stdout } = await space.run([...invite, "--dry-run"]);
    expect(normalized(stdout)).toMatchSnapshot("shown");
    const asked = await space.run(invite, { runtime: { interactive: true, ask: () => Promise.resolve("no") } });
    expect(linesWith(asked.stderr, "invites.create")).toMatchSnapshot("asked");
    expect(writesOf(space)).toEqual([]);
    const sent = await space.run([...invite, "--yes"]);
    expect(linesWith(sent.stderr, "invites.create")).toMatchSnapshot("sent");
  });

  it("is not needed for a POST that only calculates", async () => {
    const space = await seeded();
    const { code, stdout } = await space.run(["call", "insights.trend", "project_id=2", 'events:=[{"id":"a"}]']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveProperty("result");
  });

  it("deletes an organization only with its name typed", async () => {
    const space = await seeded();
    const remove = ["call", "organizations.delete", `id=${ORG}`, "--yes"];
    const refused = await space.run(remove);
    expect(refused.code).toBe(13);
    expect(refused.stderr).toContain("--confirm-organization 'Acme Inc'");
    expect((await space.run([...remove, "--confirm-organization", "Acme"])).code).toBe(13);
    const runtime = { interactive: true, ask: () => Promise.resolve("acme inc") };
    expect((await space.run(remove, { runtime })).code).toBe(1);
    expect(writesOf(space)).toEqual([]);
    expect((await space.run([...remove, "--confirm-organization", "Acme Inc"])).code).toBe(0);
    expect(writesOf(space)).toEqual([`DELETE /api/organizations/${ORG}/`]);
  });
});

describeDialects("--dry-run", () => {
  it("shows the request without sending it, and without the key", async () => {
    const space = await seeded();
    const args = [
      "call",
      "batch_exports.create",
      AT,
      "name=N",
      'destination={"type":"S3","config":{"password":"hush-hush"}}',
    ];
    const { code, stdout } = await space.run([...args, "--dry-run"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`POST ${space.emulator.url}/api/organizations/${ORG}/batch_exports/\n`);
    expect(stdout).toContain("authorization: Bearer $DRIFTLINE_API_KEY");
    expect(stdout).not.toContain(space.emulator.key);
    expect(stdout).not.toContain("hush-hush");
    expect(space.emulator.requests).toEqual([]);
  });

  it("shows it as data", async () => {
    const space = await seeded();
    const { stdout } = await space.run([
      "call",
      "insights.list",
      "project_id=2",
      "limit=3",
      "--dry-run",
      "--format",
      "json",
    ]);
    expect(JSON.parse(stdout)).toEqual({
      type: "driftline.request",
      schema_version: 1,
      operation: "insights.list",
      method: "GET",
      url: `${space.emulator.url}/api/projects/2/insights/?limit=3`,
      scope: "insight:read",
      effect: "read",
      irreversible: null,
      body: null,
    });
  });

  it("needs no key", async () => {
    const space = await seeded();
    const env = { DRIFTLINE_API_KEY: "" };
    expect((await space.run(["call", "organizations.list", "--dry-run"], { env })).code).toBe(0);
    expect((await space.run(["call", "organizations.list", "--dry-run"], { env: { DRIFTLINE_URL: "" } })).code).toBe(
      10,
    );
  });
});

describeDialects("results", () => {
  it("are JSON without values under the names of secrets", async () => {
    const space = await seeded();
    const { stdout } = await space.run(["call", "batch_exports.list", AT]);
    expect(JSON.parse(stdout)).toMatchObject({
      count: 1,
      results: [{ destination: { config: { password: { sensitive: true } } } }],
    });
    expect(stdout).not.toContain("hush-hush");
  });

  it("without a body are reported on stderr", async () => {
    const space = await seeded();
    const id = String(space.emulator.find("domain")[0]?.id);
    const { code, stdout, stderr } = await space.run(["call", "domains.delete", AT, `id=${id}`, "--yes"]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(linesWith(stderr, "domains.delete: 204")).toMatchSnapshot();
  });

  it("of --all are one row per line, from all pages", async () => {
    const space = await workspace({ seed: SEED, maxPageSize: 10 });
    const { code, stdout } = await space.run(["call", "insights.list", "project_id=2", "--all"]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { readonly name: string }).name).toSorted()).toEqual(
      INSIGHTS.map(({ name }) => name).toSorted(),
    );
    expect(space.emulator.requests).toHaveLength(3);
  });

  it("of --all that are inconsistent end with 1, after the received rows", async () => {
    const space = await workspace({ seed: SEED, maxPageSize: 10 });
    space.emulator.faults.add({ fault: { type: "lying-count", by: 5 } });
    const { code, stdout, stderr } = await space.run(["call", "insights.list", "project_id=2", "--all"]);
    expect(code).toBe(1);
    expect(stdout.trimEnd().split("\n")).toHaveLength(25);
    expect(linesWith(stderr, "error incomplete: ")).toMatchSnapshot();
  });

  it("of format=csv are unchanged", async () => {
    const text = '\uFEFFid,name\r\n1,"a ""b"""\r\n';
    const server = createServer((_request, response) => response.end(text));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const env = { DRIFTLINE_URL: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
    const space = await seeded();
    expect((await space.run(["call", "insights.list", "project_id=2", "format=csv"], { env })).stdout).toBe(text);
  });
});
