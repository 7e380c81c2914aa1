/** What a page shows in TypeScript. The compiler takes seconds. */
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { PROGRAMS, ROOT, textOf } from "./docs/pages.ts";
import { shownIn, type Shown } from "./docs/shown.ts";

it("compiles: each block of TypeScript stands in an example, or is a whole module", () => {
  const shown = shownIn("ts");
  expect(shown.length).toBeGreaterThan(1);
  const modules = shown.filter(({ block }) => !PROGRAMS.some((file) => textOf(file).includes(`\n${block.text}\n`)));
  expect(errorsIn(PROGRAMS, modules)).toEqual([]);
});

/** What the compiler says of files of the repository, and of blocks as modules in docs. */
function errorsIn(files: readonly string[], modules: readonly Shown[]): readonly string[] {
  const options =
    ts.getParsedCommandLineOfConfigFile(
      join(ROOT, "tsconfig.json"),
      {},
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
    )?.options ?? {};
  const texts = new Map(
    modules.map(({ place, block }, index) => [
      join(ROOT, `docs/${String(index)}-${place.replaceAll(/\W/g, "-")}.ts`),
      block.text,
    ]),
  );
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => texts.has(name) || disk.fileExists(name),
    readFile: (name) => texts.get(name) ?? disk.readFile(name),
    getSourceFile: (name, languageOrOptions, ...more) => {
      const text = texts.get(name);
      return text === undefined
        ? disk.getSourceFile(name, languageOrOptions, ...more)
        : ts.createSourceFile(name, text, languageOrOptions);
    },
  };
  const names = [...files.map((file) => join(ROOT, file)), ...texts.keys()];
  const program = ts.createProgram(names, options, host);
  // `npm run check` compiles what they import.
  const diagnostics = names.flatMap((name) => {
    const file = program.getSourceFile(name);
    if (file === undefined) throw new Error(`${name} was not compiled`);
    return ts.getPreEmitDiagnostics(program, file);
  });
  return diagnostics.map(
    ({ file, messageText }) => `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
  );
}
