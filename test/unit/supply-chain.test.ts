/** What pipelines and npm run that others wrote. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";

const ROOT = new URL("../..", import.meta.url).pathname;
const read = (file: string): string => readFileSync(`${ROOT}/${file}`, "utf8");
const manifest = JSON.parse(read("package.json")) as { readonly allowScripts: Readonly<Record<string, boolean>> };

function filesIn(folder: string): readonly string[] {
  const all = readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: "utf8" });
  return all.filter((file) => /\.(?:yml|md)$/.test(file)).map((file) => `${folder}/${file}`);
}

it("every action but driftline's own is pinned by the hash of a commit, with its version behind it", () => {
  const files = ["action.yml", ...[".github", "examples", "docs"].flatMap(filesIn)];
  const used = files.flatMap((file) =>
    [...read(file).matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, action = ""]) => `${file}: ${action}`),
  );
  const own = /: (?:OWNER\/driftline@v[\d.]+|\.\/node_modules\/driftline|\.\/)$/;
  const others = used.filter((text) => !own.test(text));
  expect(others.length).toBeGreaterThan(20);
  expect(others.filter((text) => !/@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(text))).toEqual([]);
  // One version of each action.
  const pinned = new Set(others.map((text) => text.replace(/^.*?: /, "")));
  expect(pinned.size).toBe(new Set([...pinned].map((text) => text.replace(/@.*/, ""))).size);
});

it("only scheduled jobs of the recipe for GitLab see the token that can push, which is a protected variable", () => {
  const text = read("examples/pipelines/gitlab/driftline.gitlab-ci.yml");
  const jobs = Object.values(parse(text) as Record<string, { readonly rules?: readonly { readonly if: string }[] }>);
  const users = jobs.filter((job) => JSON.stringify(job).includes("PUSH_TOKEN"));
  expect(users.length).toBeGreaterThan(0);
  for (const { rules = [] } of users)
    for (const rule of rules) expect(rule.if).toContain('$CI_PIPELINE_SOURCE == "schedule" &&');
  expect(text).toMatch(/PUSH_TOKEN is optional: a protected variable/);
});

it("what Pulumi prints into the log of a job for GitHub is no command", () => {
  const jobs = parse(read("examples/pipelines/github/pulumi.yml")) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
  };
  const runs = Object.values(jobs.jobs).flatMap(({ steps }) => steps.flatMap(({ run = "" }) => run));
  const printing = runs.filter((run) => /^\s*pulumi (?:up|preview)(?!.*> )/mu.test(run));
  expect(printing.length).toBeGreaterThan(1);
  for (const run of printing)
    expect(run).toMatch(
      /^token=.*\/dev\/urandom.*\necho "::stop-commands::\$token"\n[^]*^pulumi .*\necho "::\$token::"$/mu,
    );
});

it("npm knows every script of a dependency", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean; readonly optional?: boolean }>>;
  };
  const scripted = Object.entries(packages).filter(([, one]) => one.hasInstallScript === true && one.optional !== true);
  expect(scripted.map(([path]) => path.replace(/^.*node_modules\//, ""))).toEqual(Object.keys(manifest.allowScripts));
});
