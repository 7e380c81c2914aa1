import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DOCUMENTS, PAGES, ROOT, textOf } from "./docs/pages.ts";
import { anchorsOf, countWords, linksOf, openingOf, sentencesOf } from "./docs/markdown.ts";

/** Lines of a page: there are fewer. */
const LIMIT = 201;
/** Words of a sentence. */
const WORDS = 35;

describe.each(PAGES)("%s", (page) => {
  const text = textOf(page);

  it("is short", () => {
    expect(text.trimEnd().split("\n").length).toBeLessThan(LIMIT);
  });

  it("has no long sentence", () => {
    expect(sentencesOf(text).filter((sentence) => countWords(sentence) > WORDS)).toEqual([]);
  });
});

it.each(["docs/move-and-undo.md", "docs/people.md", "docs/recipes.md"])(
  "%s has recipes of at most 40 lines",
  (page) => {
    const recipes = textOf(page)
      .split(/^(?=## )/m)
      .slice(1);
    expect(recipes.filter((recipe) => recipe.trimEnd().split("\n").length > 40)).toEqual([]);
  },
);

/** They have front matter instead: the title of their page is in it. */
const REGISTRY_PAGES = new Set(["docs/_index.md", "docs/installation-configuration.md"]);

describe.each(PAGES.filter((page) => page !== "README.md" && !REGISTRY_PAGES.has(page)))("%s", (page) => {
  it("has a title, and a sentence below it", () => {
    const { title, first } = openingOf(textOf(page));
    expect(title).toMatch(/^# [A-Z]/);
    expect(first).toMatch(/^[A-Z`].{20}|^driftline /);
  });
});

describe("links", () => {
  it.each(DOCUMENTS)("%s leads to files and headings that are there", (file) => {
    const broken = linksOf(textOf(file)).filter((link) => {
      const [path = "", anchor] = link.split("#", 2);
      const target = path === "" ? file : join(file, "..", path);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && target.endsWith(".md") && !anchorsOf(textOf(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe("the tests that test/safety-rules.md names", () => {
  const named = [...textOf("test/safety-rules.md").matchAll(/`(test\/[^`]+)`/gu)].map(([, file = ""]) => file);

  it("are there", () => {
    expect(named).not.toEqual([]);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

describe("copied files", () => {
  it.each(["docs/pipelines.md", "examples/pipelines/README.md"])("of %s are in the package", (file) => {
    const copied = [...textOf(file).matchAll(/^ *cp node_modules\/driftline\/(\S+) /gmu)].map(([, path = ""]) => path);
    expect(copied.length).toBeGreaterThan(0);
    expect(copied.filter((path) => !path.startsWith("examples/") || !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe("the words of the spelling check", () => {
  it("are sorted, and stand there once", () => {
    const { words } = JSON.parse(textOf("cspell.json")) as { readonly words: readonly string[] };
    expect(words).toEqual([...new Set(words)].toSorted());
  });
});

describe("reading Markdown", () => {
  it.each([
    ["a link is its text", "See [the page](x.md).", ["See the page."]],
    ["code is one word", "Run `driftline plan --out x`. Then look.", ["Run Code.", "Then look."]],
    ["items are paragraphs", "Two:\n\n- one\n  more\n- two\n", ["Two:", "one more", "two"]],
    ["no tables, headings, blocks", "# Title\n\n| a | b |\n\n```sh\nx\n```\n\nText.", ["Text."]],
    ["a number is no end", "It took 1.2 s. Good.", ["It took 1.2 s.", "Good."]],
  ])("%s", (_name, markdown, sentences) => {
    expect(sentencesOf(markdown)).toEqual(sentences);
  });

  it("knows the anchors of GitHub", () => {
    const markdown = "# What it *is*\n\n## `plan`: one, two\n\n## Again\n\n## Again\n\n```sh\n# no heading\n```\n";
    expect([...anchorsOf(markdown)]).toEqual(["what-it-is", "plan-one-two", "again", "again-1"]);
  });

  it("finds links and pictures, and leaves out the web and code", () => {
    const markdown = 'A [b](c.md#d), ![e](f.svg), <img src="g.svg">, [h](https://i.example), `[j](k.md)`';
    expect(linksOf(markdown)).toEqual(["c.md#d", "f.svg", "g.svg"]);
  });
});
