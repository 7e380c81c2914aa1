import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const read = (page: string): Promise<string> => readFile(new URL(`../../../../docs/${page}`, import.meta.url), "utf8");

/** What breaks a page in the registry: images and links that are not on the web, and broken shortcodes. */
const BROKEN = /<img|<a |!\[[^\]]*\]\((?!https:)|\]\((?!https:)|\{\{\s+[<%]|^# |curl[^\n]*\|/m;

/** The content of each tab, by the first line of the choosers and their languages. */
function tabsOf(page: string): readonly Readonly<Record<string, string>>[] {
  return [...page.matchAll(/\{\{< chooser language "([\w,]+)" >\}\}(.*?)\{\{< \/chooser >\}\}/gs)].map(
    ([, languages = "", body = ""]) => {
      const tab = /\{\{% choosable language (\w+) %\}\}\n\n(.*?)\n\n\{\{% \/choosable %\}\}/gs;
      const tabs = [...body.matchAll(tab)].map(([, language = "", text = ""]) => [language, text] as const);
      expect(tabs.map(([language]) => language)).toEqual(languages.split(","));
      return Object.fromEntries(tabs);
    },
  );
}

/** The settings in a table, with their variables. */
function settingsOf(page: string): readonly (readonly [string, string])[] {
  const rows = page.matchAll(/^\| `driftline:(\w+)` +\| `(DRIFTLINE_\w+)` +\|/gm);
  return [...rows].map(([, setting = "", variable = ""]) => [setting, variable]);
}

describe.each(["_index.md", "installation-configuration.md"])("docs/%s for Pulumi's registry", (name) => {
  it("has the front matter, which names the package, no title of its own, and nothing that breaks there", async () => {
    const [before, front = "", body = ""] = (await read(name)).split(/^---\n/m);
    expect(before).toBe("");
    const { title, meta_desc, layout } = parse(front) as Readonly<Record<string, string>>;
    expect([title, layout]).toEqual([expect.stringMatching(/^driftline.{0,50}$/), "package"]);
    expect(meta_desc).toMatch(/^[A-Z].*\bpackage driftline\b.{20,120}\.$/);
    expect(BROKEN.exec(body)).toBeNull();
  });

  it("has a tab for each language", async () => {
    const tabs = tabsOf(await read(name));
    expect(tabs.length).toBeGreaterThan(0);
    for (const tab of tabs) expect(Object.keys(tab)).toEqual(["typescript", "yaml", "python"]);
  });
});

it("the settings are those of the page for people; it says which are required and which is secret", async () => {
  const page = await read("installation-configuration.md");
  expect(settingsOf(page)).toEqual(settingsOf(await read("pulumi.md")));
  const cells = [...page.matchAll(/^\| `driftline:(\w+)` .*?\| ((?:yes|no)(?:, secret)?) \|/gm)];
  const settings = Object.fromEntries(cells.map(([, setting = "", needed = ""]) => [setting, needed]));
  const no = { profile: "no", self: "no", settleAfter: "no", maxRequestsPerMinute: "no" };
  expect(settings).toEqual({ url: "yes", apiKey: "yes, secret", ...no });
});

it("the pages show an example, a command for each setting, and the variables", async () => {
  expect(await read("_index.md")).toContain("\n## Example Usage\n\n{{< chooser language");
  const installation = await read("installation-configuration.md");
  const commands = [...installation.matchAll(/^pulumi config set( --secret)? driftline:(\w+)/gm)];
  expect(commands.map(([, , setting]) => setting)).toEqual(settingsOf(installation).map(([setting]) => setting));
  expect(commands.flatMap(([, secret, setting]) => (secret === undefined ? [] : [setting]))).toEqual(["apiKey"]);
  expect(installation).toMatch(/^export DRIFTLINE_URL=.*\nexport DRIFTLINE_API_KEY=/m);
});
