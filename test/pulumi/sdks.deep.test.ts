/**
 * The SDKs that Pulumi's generators make of the schema: their names, whether they compile, and one program with each on the
 * real engine. The program in Python is that of python.deep.test.ts.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { stringify } from "yaml";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { isWhole } from "../support/budget.ts";
import { versionOf } from "./engine/build.ts";
import { provideLibraries } from "./engine/java.ts";
import { engine } from "./support/engine.ts";
import { generateApart, generateSdk, SCHEMA } from "./support/generated-sdk.ts";
import { ROOT } from "./support/package.ts";
import { createPackagedStack, createYamlStack, PLUGINS } from "./support/packaged-stack.ts";
import { installPythonSdk } from "./support/python-sdk.ts";
import type { Stack } from "./support/stack.ts";

const { bin, missing } = engine();
const python = inject("python");
const run = promisify(execFile);
const paths = "missing" in python ? [] : python.paths;
const unavailable = missing ?? ("missing" in python ? python.missing : undefined);
const noGo = versionOf("go", ["version"]) === undefined;
const goMissing = noGo ? "there is no Go" : unavailable;

/** Names of Pulumi's own organization, and those that a generator makes up if the schema has none. */
const FOREIGN = /@pulumi\/driftline|com\.pulumi\.driftline|Pulumi\.Driftline|github\.com\/pulumi\/pulumi-driftline/;

async function sdkOf(language: "go" | "nodejs", { folder }: Stack): Promise<string> {
  const sdk = join(folder, `sdk-${language}`);
  await generateSdk(language, sdk, paths);
  expect(await foreignNames(sdk)).toEqual([]);
  return sdk;
}

async function foreignNames(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThan(10);
  const found = files.map(async (file) => (FOREIGN.test(await readFile(file, "utf8")) ? [file] : []));
  return (await Promise.all(found)).flat();
}

/** What the compiler says of a package beside the SDK that it needs. It writes the JavaScript. */
function compileNode(sdk: string): readonly string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(sdk, "tsconfig.json"),
    { declarationMap: false, sourceMap: false },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  if (config === undefined) return ["tsconfig.json cannot be read"];
  const program = ts.createProgram(config.fileNames, config.options);
  const { diagnostics } = program.emit();
  return [...config.errors, ...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, "\n"),
  );
}

const NODE_PROGRAM = `
import { createRequire } from "node:module";
const { Insight } = createRequire(import.meta.url)("driftline-pulumi");
const signups = new Insight("signups", { projectId: 2, name: "Signups", tags: ["growth"], query: { kind: "DataTableNode" } });
export const shortId = signups.shortId;
`;

/** The language host of Go has no tagged module. A program that starts the engine itself needs none. */
const GO_PROGRAM = `package main

import (
	"context"
	"log"
	"os"

	"driftline/sdk/go/driftline"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func program(ctx *pulumi.Context) error {
	signups, err := driftline.NewInsight(ctx, "signups", &driftline.InsightArgs{
		ProjectId: pulumi.Int(2),
		Name:      pulumi.String("Signups"),
		Tags:      pulumi.StringArray{pulumi.String("growth")},
		Query:     pulumi.Map{"kind": pulumi.String("DataTableNode")},
	})
	if err != nil {
		return err
	}
	ctx.Export("shortId", signups.ShortId)
	return nil
}

func main() {
	ctx := context.Background()
	stack, err := auto.UpsertStackInlineSource(ctx, "go", "acme", program, auto.WorkDir(os.Args[1]))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := stack.Up(ctx, optup.ProgressStreams(os.Stdout)); err != nil {
		log.Fatal(err)
	}
}
`;

const JAVA_PROGRAM = `
import com.pulumi.Pulumi;
import driftline.sdk.Insight;
import driftline.sdk.InsightArgs;
import java.util.Map;

public final class Acme {
  public static void main(String[] args) {
    Pulumi.run(context -> {
      var signups = new Insight("signups", InsightArgs.builder()
          .projectId(2)
          .name("Signups")
          .tags("growth")
          .query(Map.of("kind", "DataTableNode"))
          .build());
      context.export("shortId", signups.shortId());
    });
  }
}
`;

/** The SDK of a language whose generator is a module of its own, or why there is none. */
async function sdkApart(language: "dotnet" | "java"): Promise<{ readonly sdk: string } | { readonly missing: string }> {
  const sdk = await mkdtemp(join(tmpdir(), `driftline-${language}-`));
  onTestFinished(() => rm(sdk, { recursive: true, force: true }));
  const problem = await generateApart(language, sdk);
  return problem === undefined ? { sdk } : { missing: problem };
}

async function javaSources(sdk: string): Promise<readonly string[]> {
  const files = await readdir(sdk, { recursive: true });
  return files.filter((file) => file.endsWith(".java"));
}

/** Writes a module with the versions that the engine is built with, so that nothing more has to be downloaded. */
async function layGoProgram(folder: string): Promise<void> {
  const cli = fileURLToPath(new URL("engine/cli/", import.meta.url));
  const versions = (await readFile(join(cli, "go.mod"), "utf8")).replace(/^module .*/m, "module acme");
  const own = "require driftline/sdk/go v0.0.0\n\nreplace driftline/sdk/go => ../sdk-go\n";
  await mkdir(folder);
  await writeFile(join(folder, "go.mod"), `${versions}\n${own}`);
  await copyFile(join(cli, "go.sum"), join(folder, "go.sum"));
  await writeFile(join(folder, "main.go"), GO_PROGRAM);
}

/** What the program of each language leaves behind. */
function expectInsight(stack: Stack, shortId: string): void {
  const [insight, ...others] = stack.emulator.find("insight");
  expect(others).toEqual([]);
  expect(insight).toMatchObject({ name: "Signups", tags: ["growth"], query: { kind: "DataTableNode" } });
  expect(shortId).toBe(insight?.["short_id"]);
}

// The generators are built for this: minutes on a fresh machine.
describe.runIf(isWhole)("the SDK in", () => {
  it.skipIf(unavailable !== undefined)(
    `TypeScript compiles, and a program runs (${unavailable ?? "here"})`,
    async () => {
      const stack = await createPackagedStack(bin);
      const project = join(stack.folder, "project");
      const sdk = await sdkOf("nodejs", stack);
      await mkdir(join(sdk, "node_modules"));
      await symlink(join(project, "node_modules/@pulumi"), join(sdk, "node_modules/@pulumi"));
      await symlink(join(ROOT, "node_modules/@types"), join(sdk, "node_modules/@types"));
      expect(compileNode(sdk)).toEqual([]);
      // A package is published from there.
      await copyFile(join(sdk, "package.json"), join(sdk, "bin/package.json"));
      await symlink(join(sdk, "bin"), join(project, "node_modules/driftline-pulumi"));
      await writeFile(join(project, "index.js"), NODE_PROGRAM);
      await stack.run("up", "--yes", "--skip-preview");
      const { shortId } = JSON.parse(await stack.run("stack", "output", "--json")) as { readonly shortId: string };
      expectInsight(stack, shortId);
    },
  );

  it.skipIf(unavailable !== undefined)(`Python compiles and can be imported (${unavailable ?? "here"})`, async () => {
    const stack = await createYamlStack(bin);
    const site = await installPythonSdk(stack.folder, paths);
    expect(await foreignNames(join(stack.folder, "sdk"))).toEqual([]);
    const env = { ...process.env, PATH: [...paths, process.env["PATH"] ?? ""].join(delimiter), PYTHONPATH: site };
    await run("python3", ["-m", "compileall", "-q", "-f", site], { env });
    const names = "import pulumi_driftline as d; print(d.Insight.__module__, d.Organization.__name__)";
    const { stdout } = await run("python3", ["-c", names], { env });
    expect(stdout.trim()).toBe("pulumi_driftline.insight Organization");
  });

  it.skipIf(goMissing !== undefined)(`Go compiles, and a program runs (${goMissing ?? "here"})`, async () => {
    const stack = await createYamlStack(bin);
    const project = join(stack.folder, "project");
    await sdkOf("go", stack);
    const program = join(stack.folder, "go-program");
    await layGoProgram(program);
    const environment = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=mod" };
    await run("go", ["build", "-trimpath", "-o", "acme", "."], { cwd: program, env: environment });
    await writeFile(join(project, "Pulumi.yaml"), stringify({ name: "acme", runtime: "go", plugins: PLUGINS }));
    await run(join(program, "acme"), [project], { cwd: project, env: { ...process.env, ...stack.env } });
    const { shortId } = JSON.parse(await stack.run("stack", "output", "--json", "--stack", "go")) as {
      readonly shortId: string;
    };
    expectInsight(stack, shortId);
  });

  // The machines of the tests have no compiler of C#.
  it("C# has names of its own, of a generator that needs no installation", async ({ skip }) => {
    const made = await sdkApart("dotnet");
    if ("missing" in made) return skip(made.missing);
    const { sdk } = made;
    const files = await readdir(sdk, { recursive: true });
    expect(files).toEqual(expect.arrayContaining(["Driftline.Sdk.csproj", "Insight.cs"]));
    expect(files.filter((file) => /pulumi\.driftline/i.test(file))).toEqual([]);
    expect(await foreignNames(sdk)).toEqual([]);
    const sources = files.filter((file) => file.endsWith(".cs")).map((file) => readFile(join(sdk, file), "utf8"));
    const names = (await Promise.all(sources)).flatMap((text) => text.match(/^\s*namespace \S+/gm) ?? []);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !/namespace Driftline\.Sdk(?:\.(?:Inputs|Outputs))?$/.test(name))).toEqual([]);
  });

  it("Java has names of its own, of a generator that needs no installation", async ({ skip }) => {
    const made = await sdkApart("java");
    if ("missing" in made) return skip(made.missing);
    const { sdk } = made;
    const files = await javaSources(sdk);
    const root = "src/main/java/driftline/sdk/";
    expect(files).toEqual(
      expect.arrayContaining([`${root}Insight.java`, `${root}inputs/BatchExportDestinationArgs.java`]),
    );
    expect(files.filter((file) => !file.startsWith(root))).toEqual([]);
    const texts = await Promise.all(files.map((file) => readFile(join(sdk, file), "utf8")));
    const packages = new Set(texts.map((text) => /^package (.*);$/m.exec(text)?.[1]));
    expect(packages).toEqual(new Set(["", ".enums", ".inputs", ".outputs"].map((end) => `driftline.sdk${end}`)));
    expect(await readFile(join(sdk, "build.gradle"), "utf8")).toMatch(/^group = "driftline"$/m);
    expect(await foreignNames(sdk)).toEqual([]);
  });

  it("Java compiles with the libraries that it asks for, and so does a program", async ({ skip }) => {
    const made = await sdkApart("java");
    if ("missing" in made) return skip(made.missing);
    const { sdk } = made;
    const gradle = await readFile(join(sdk, "build.gradle"), "utf8");
    const asked = [...gradle.matchAll(/^\s*implementation\("(.*)"\)$/gm)].map(([, library = ""]) => library);
    expect(asked).toContainEqual(expect.stringMatching(/^com\.pulumi:pulumi:/));
    const libraries = await provideLibraries(asked, (line) => void process.stderr.write(`${line}\n`));
    if ("missing" in libraries) return skip(`Java is not compiled: ${libraries.missing}`);
    await writeFile(join(sdk, "Acme.java"), JAVA_PROGRAM);
    const release = /JavaLanguageVersion\.of\((\d+)\)/.exec(gradle)?.[1] ?? "";
    const options = ["--release", release, "-encoding", "UTF-8", "-cp", `${libraries.folder}/*`, "-d", "classes"];
    await run("javac", [...options, ...(await javaSources(sdk))], { cwd: sdk });
    const classes = ["Acme.class", "driftline/sdk/Insight.class"];
    expect(await readdir(join(sdk, "classes"), { recursive: true })).toEqual(expect.arrayContaining(classes));
  });

  for (const [language, name] of [
    ["dotnet", /^\s*namespace Driftline\.Sdk/m],
    ["java", /^package driftline\.sdk;/m],
  ] as const)
    it.skipIf(!hasGenerator(language))(
      `${language} has names of its own (needs pulumi-language-${language})`,
      async () => {
        const stack = await createYamlStack(bin);
        const out = join(stack.folder, "out");
        await stack.run("package", "gen-sdk", SCHEMA, "--language", language, "--out", out);
        expect(await foreignNames(out)).toEqual([]);
        const insight =
          (await readdir(out, { recursive: true })).find((file) => /\/Insight\.(?:cs|java)$/.test(file)) ?? "";
        expect(await readFile(join(out, insight), "utf8")).toMatch(name);
      },
    );
});

/** Whether the machine has a generator whose module is not tagged. It comes with an installation of Pulumi. */
function hasGenerator(language: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return missing === undefined && folders.some((folder) => existsSync(join(folder, `pulumi-language-${language}`)));
}
