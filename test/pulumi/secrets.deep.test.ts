import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/model/json/json.ts";
import { CANARIES, leaksIn } from "../support/canary.ts";
import { describeEngine } from "./support/engine.ts";
import { matchesIn } from "./support/sentences.ts";
import type { Program, Stack } from "./support/stack.ts";

const { plain, json, url, pem } = CANARIES;

function program(region: string, description: string): Program {
  const place = { projectId: 2, interval: "hour" };
  const secrets: JsonObject = { aws_secret_access_key: url, endpoint_url: "https://s3.example" };
  const snowflake = { account: "a", user: "u", database: "d", warehouse: "w", schema: "s" };
  return {
    s3: {
      type: "BatchExport",
      args: {
        ...place,
        name: "S3",
        destination: { type: "S3", config: { bucket_name: "b", region, prefix: "e/", ...secrets } },
      },
    },
    snowflake: {
      type: "BatchExport",
      args: {
        ...place,
        name: "Snowflake",
        destination: { type: "Snowflake", config: { ...snowflake, private_key: pem, password: { $secret: json } } },
      },
    },
    signups: { type: "Insight", args: { projectId: 2, name: "Signups", description: { $secret: description } } },
  };
}

/** A service that refuses every write and quotes the whole request, as it came and encoded. */
async function echo(target: string): Promise<string> {
  const server: Server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const isRead = request.method === "GET";
      const headers = { authorization: request.headers.authorization ?? "" };
      const answer = isRead ? await fetch(`${target}${request.url ?? ""}`, { headers }) : undefined;
      const detail = `not with ${headers.authorization}: ${body} is no good; ${encodeURIComponent(body)}; ${Buffer.from(body).toString("base64")}`;
      const refusal = JSON.stringify({ type: "validation_error", code: "invalid_input", detail, attr: "destination" });
      response.writeHead(answer?.status ?? 400, { "content-type": "application/json" });
      response.end(answer === undefined ? refusal : await answer.text());
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** Fails if the output of a run, or a file that it wrote, shows a secret. */
async function expectNothingShown(
  stack: Stack,
  output: string,
  canaries: Readonly<Record<string, string>>,
): Promise<void> {
  expect(leaksIn(output, canaries)).toEqual([]);
  const files = [...(await stack.files())];
  expect(files.length).toBeGreaterThan(5);
  expect(files.flatMap(([path, content]) => leaksIn(content, canaries).map((leak) => `${path}: ${leak}`))).toEqual([]);
}

describeEngine("a secret on the real engine", (_dialect, { createStack, createNodeStack }) => {
  // Without the engine's own -v and --debug: they show everything that is registered, as Pulumi's manual says.
  it("is never shown in clear, whichever way it came in", async () => {
    const stack = await createStack({ keys: [{ key: plain }] });
    await stack.declare(program("eu", CANARIES.pattern));
    let output = await stack.run("up", "--yes", "--diff");
    output += await stack.run("preview", "--refresh", "--diff");
    await stack.declare(program("us", CANARIES.markup));
    // Two resources change, and one stays the same.
    output += await stack.run("preview", "--diff", "--json");
    stack.emulator.faults.add({ method: "PATCH", times: 1, fault: { type: "status", status: 403 } });
    // It shows its own preview first.
    output += (await stack.pulumi(["up", "--yes", "--diff"])).output;
    output += await stack.run("up", "--yes", "--diff");
    output += await stack.run("refresh", "--yes", "--diff");
    output += await stack.run("stack", "export");
    if (stack.resources === "packaged") {
      const [made] = stack.emulator.find("batch_export", ({ name }) => name === "S3");
      output += await stack.run("import", "driftline:index:BatchExport", "it", `2/${String(made?.["id"])}`, "--yes");
      output += await stack.run("stack", "export");
    }
    const { pattern, markup } = CANARIES;
    await expectNothingShown(stack, output, { plain, json, url, pem, pattern, markup });
    // The service did get them.
    const stored = stack.emulator.find("batch_export", () => true);
    expect(JSON.stringify(stored)).toContain(JSON.stringify(pem).slice(1, -1));
    expect(stack.emulator.find("insight", () => true)).toMatchObject([{ description: markup }]);
  });

  it("is never shown in clear if its input is refused", async () => {
    // The runtime of YAML checks types itself, so that the provider would not be asked.
    const stack = await createNodeStack({ keys: [{ key: plain }] });
    const config = { token: CANARIES.pattern };
    const wrong = { projectId: 2, name: "Events", interval: "hour", destination: { config }, destinaton: { config } };
    await stack.declare({ events: { type: "BatchExport", args: wrong } });
    const { code, output } = await stack.pulumi(["preview", "--diff"]);
    expect(code).not.toBe(0);
    expect(matchesIn(output, /destin[\w.]+: .*/)).toMatchSnapshot();
    await expectNothingShown(stack, output, { plain, pattern: CANARIES.pattern });
  });

  it("is never shown in clear if the service quotes it in an error", async () => {
    const stack = await createStack({ keys: [{ key: plain }] });
    const { signups: _signups, ...exports } = program("eu", "");
    await stack.declare(exports);
    const service = await echo(stack.emulator.url);
    const { code, output } = await stack.pulumi(["up", "--yes", "--skip-preview", "--diff"], {
      DRIFTLINE_URL: service,
    });
    expect(code).not.toBe(0);
    expect(output).toContain("is no good");
    await expectNothingShown(stack, output, { plain, json, url, pem });
  });
});
