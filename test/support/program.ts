import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import type { JsonObject } from "../../src/model/json/json.ts";

/** An entry of a file for `pulumi import`. */
export interface ImportedResource {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

export async function importFileIn(folder: string): Promise<readonly ImportedResource[]> {
  const text = await readFile(join(folder, "import.json"), "utf8");
  return (JSON.parse(text) as { readonly resources: readonly ImportedResource[] }).resources;
}

/** Compiles a program in TypeScript, as JavaScript beside it. @returns what the compiler says is wrong */
export function compile(file: string): readonly string[] {
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    types: [],
  });
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, "\n"),
  );
}
