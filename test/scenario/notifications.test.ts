/** The scripts of docs/notifications.md, against a stub of Slack. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { bash, machine, missingPrograms, type Step } from "../support/ci.ts";
import { blocksOf } from "./docs/blocks.ts";
import { textOf } from "./docs/pages.ts";

const BLOCKS = blocksOf(textOf("docs/notifications.md"));
const textIn = (language: string): string => BLOCKS.find((block) => block.language === language)?.text ?? "";
const missing = missingPrograms("curl", "jq");

/** A webhook, and the texts that it got. */
async function webhook(): Promise<{ readonly url: string; readonly texts: readonly string[] }> {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => void (body += part.toString()));
    request.on("end", () => {
      const { blocks } = JSON.parse(body) as { readonly blocks: readonly { readonly text: object }[] };
      expect(request).toMatchObject({ method: "POST", headers: { "content-type": "application/json" } });
      texts.push(...blocks.map(({ text }) => JSON.stringify(text)));
      response.end("ok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/services/T0/B0/x`, texts };
}

describe.skipIf(missing !== undefined)(`a message to Slack (${missing ?? "with curl and jq"})`, () => {
  it("five lines of shell send the counts if something differs, and errors, and nothing else", async () => {
    expect(textIn("sh").split("\n").length).toBeLessThanOrEqual(6);
    const configuration = { driftline: 1, organizations: { acme: { name: "Acme Inc" } } };
    const { base, folder, configure } = await machine(configuration, {}, { dialect: "deployed" });
    const { url, texts } = await webhook();
    const env = { ...base, SLACK_WEBHOOK_URL: url };
    const script = (more = {}): Promise<{ readonly code: number }> =>
      bash(textIn("sh"), folder, { ...env, ...more }, []);
    expect(await script()).toEqual({ code: 0, output: "" });
    expect(texts).toEqual([]);
    await configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", enforce_2fa: true } } });
    expect(await script()).toMatchObject({ code: 2 });
    const shown = textIn("text")
      .replace("1 drifted, 1 as declared", "1 drifted, 4 undeclared values")
      .concat(" 1 warning.");
    expect(texts).toEqual([JSON.stringify({ type: "plain_text", text: shown })]);
    expect(await script({ DRIFTLINE_API_KEY: "wrong" })).toMatchObject({ code: 11 });
    expect(texts[1]).toContain("exit code 11: error access_denied");
  });

  it("the step of a workflow sends the outputs of the action", async () => {
    const { url, texts } = await webhook();
    const [step] = parse(textIn("yaml")) as readonly Step[];
    const known = { SLACK_WEBHOOK_URL: url, CODE: "2", CHANGES: "3", RUN: "https://github.example/run" };
    expect(Object.keys(step?.env ?? {})).toEqual(Object.keys(known));
    const ran = await bash(step?.run ?? "", "/", { ...known, PATH: process.env["PATH"] ?? "" });
    expect(ran).toEqual({ code: 0, output: "" });
    expect(texts[0]).toContain("Drift: 3 changes (exit code 2). https://github.example/run");
  });
});
