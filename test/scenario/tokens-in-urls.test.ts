/** A token in a URL of the service is in no output, no report, no saved plan and no file that is written. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const QUERIES = [
  "private_token=HUSH",
  "a=1&access_token=HUSH",
  "token=HUSH",
  "key=HUSH&a=1",
  "apiKey=HUSH",
  "a=%20&X-Api-Key=HUSH#end",
  "a=1#access_token=HUSH",
];
const URLS = [...QUERIES.map((query) => `https://store.acme.com/x?${query}`), "https://me:HUSH@store.acme.com/x"];
const urlOf = (form: string): string => form.replace("HUSH", "hush-Zq7xKw2mVt9");

async function drifted(url: string): Promise<Workspace> {
  const config = { bucket_name: "acme", region: "r", prefix: "p/", endpoint_url: url };
  const destination = { type: "S3", config };
  const seed = {
    organizations: [
      {
        name: "Acme Inc",
        pipeline_destinations: [{ name: "Push", plugin_type: "custom", url, icon: url }],
        projects: [{ id: 2, name: "Web", batch_exports: [{ name: "Events", interval: "hour", destination }] }],
      },
    ],
  };
  const space = await workspace({ seed });
  await configure(space, "https://store.acme.com/other");
  mkdirSync(join(space.folder, "imported"));
  writeFileSync(
    join(space.folder, "imported", "acme.yaml"),
    "driftline: 1\norganizations: { acme: { name: Acme Inc } }\n",
  );
  return space;
}

function configure(space: Workspace, endpoint_url: string): Promise<void> {
  const destination = { type: "S3", config: { bucket_name: "acme", region: "r", prefix: "p/", endpoint_url } };
  const web: JsonObject = { id: "2", batch_exports: { events: { name: "Events", interval: "hour", destination } } };
  return space.configure({
    driftline: 1,
    undeclared: "report",
    organizations: { acme: { name: "Acme Inc", projects: { web } } },
  });
}

function filesIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map((one) => readFileSync(join(one.parentPath, one.name), "utf8")).join("\n");
}

const COMMANDS: readonly (readonly [readonly string[], number])[] = [
  [["plan", "--out", "plan.json", "--verbose", "--unmanaged"], 0],
  [["show", "plan.json", "--format", "json"], 0],
  [["drift", "--format", "markdown", "--format", "html=drift.html", "--format", "json=drift.json"], 2],
  [["drift", "--accept", "--yes"], 2],
  [["export"], 0],
  [["export", "--out", "tree"], 0],
  [["export", "--no-ids", "--all-fields", "--out", "all"], 0],
  [["export", "--pulumi", "program"], 0],
  [["import", "--all", "--yes", "imported/"], 0],
  [["plan", "tree"], 0],
  [["apply", "--yes", "--verbose"], 0],
];

describeDialects("a token in a URL of the service", () => {
  it.each(URLS)("%s", async (form) => {
    const space = await drifted(urlOf(form));
    for (const [args, expected] of COMMANDS) {
      const { code, stdout, stderr } = await space.run(args);
      expect(code, args.join(" ") + stderr).toBe(expected);
      expect(stdout + stderr, args.join(" ")).not.toContain("hush");
    }
    expect(filesIn(space.folder)).not.toContain("hush");
    expect(filesIn(join(space.folder, "tree"))).toContain("endpoint_url: ${secret:DL_VALUE_EVENTS_ENDPOINT_URL}");
  });

  it.each(URLS)("in a file is a warning, and a secret in its place is none: %s", async (form) => {
    const space = await drifted("https://store.acme.com/other");
    await configure(space, urlOf(form));
    const plain = await space.run(["plan"]);
    expect(plain.stdout).toContain("plain_text_secret");
    expect(plain.stdout + plain.stderr).not.toContain("hush");
    await configure(space, form.replace("HUSH", "${secret:OTHER}"));
    expect((await space.run(["plan"])).stdout).not.toContain("plain_text_secret");
  });
});
