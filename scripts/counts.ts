/*
 * Counts the lines, and what makes the hand-written code of `src` hard to read, and lists the places: `npm run counts`. The emulator and
 * generated files are left out. The numbers are read, not hit: none of them is a limit.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { handwritten, sizes } from "./ci/sizes.ts";

const LONG_FUNCTION = 40;
const MANY_PARAMETERS = 5;

const read = (file: string): string => readFileSync(file, "utf8");

function filesOf(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => resolve(folder, name));
}

const source = filesOf("src");
const places = {
  [`functions over ${LONG_FUNCTION} lines`]: new Array<string>(),
  [`functions with ${MANY_PARAMETERS} or more parameters`]: new Array<string>(),
  "parameters of type boolean, or true or false by default": new Array<string>(),
  "values exported only for tests": new Array<string>(),
};
const [long, wide, steering, exported] = Object.values(places);

const shown = (file: string, line: number): string => `${file.slice(process.cwd().length + 1)}:${line + 1}`;

function nameOf(node: ts.FunctionLikeDeclaration): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return named?.getText() ?? (ts.isConstructorDeclaration(node) ? "constructor" : "an inner function");
}

function isSteering({ type, initializer }: ts.ParameterDeclaration): boolean {
  const value = initializer?.kind;
  const isDefault = value === ts.SyntaxKind.TrueKeyword || value === ts.SyntaxKind.FalseKeyword;
  return isDefault || /^boolean( \| undefined)?$/.test(type?.getText() ?? "");
}

/** Notes a function by its length from the signature to the closing brace, and by its parameters. */
function countFunction(node: ts.FunctionLikeDeclaration, file: ts.SourceFile): void {
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const first = lineAt(node.getStart());
  const place = `${shown(file.fileName, first)} ${nameOf(node)}`;
  const lines = lineAt(node.getEnd()) - first + 1;
  if (lines > LONG_FUNCTION) long?.push(`${place}: ${lines} lines`);
  if (node.parameters.length >= MANY_PARAMETERS) wide?.push(`${place}: ${node.parameters.length}`);
  for (const parameter of node.parameters.filter(isSteering)) steering?.push(`${place}: ${parameter.name.getText()}`);
}

function visit(node: ts.Node, file: ts.SourceFile): void {
  if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) countFunction(node, file);
  ts.forEachChild(node, (child) => visit(child, file));
}

const parse = (file: string): ts.SourceFile => ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);

/** The values that a file exports in declarations of its own. Types cost nothing. */
function exportsOf(file: ts.SourceFile): readonly (readonly [name: string, line: number])[] {
  const isExported = (node: ts.Node): boolean =>
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  const namesOf = (node: ts.Statement): readonly (ts.Node | undefined)[] =>
    ts.isVariableStatement(node) ? node.declarationList.declarations : [node];
  const isValue = (node: ts.Node): boolean => !ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node);
  return file.statements
    .filter((node) => isExported(node) && isValue(node))
    .flatMap((statement) =>
      namesOf(statement).map((node) => {
        const { name } = node as ts.NamedDeclaration;
        return [name?.getText() ?? "", file.getLineAndCharacterOfPosition(statement.getStart()).line] as const;
      }),
    );
}

/** The texts of the files that import a file, in any way, by its path. */
function importers(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of files) {
    const text = read(file);
    for (const [, target = ""] of text.matchAll(/(?:\bfrom |\bimport |\bimport\()"(\.[^"]+)"/g)) {
      const path = join(file, "..", target);
      found.set(path, [...(found.get(path) ?? []), text]);
    }
  }
  return found;
}

const ownImporters = importers([...source, ...filesOf("scripts")]);
const testImporters = importers(filesOf("test"));
const isNamed = (name: string, texts: readonly string[] = []): boolean =>
  texts.some((text) => new RegExp(`\\b${name}\\b`).test(text));

for (const path of handwritten("src").map((file) => resolve(file))) {
  const file = parse(path);
  visit(file, file);
  for (const [name, line] of exportsOf(file)) {
    if (isNamed(name, ownImporters.get(path)) || !isNamed(name, testImporters.get(path))) continue;
    exported?.push(`${shown(path, line)} ${name}`);
  }
}

console.log(sizes().join("\n"));
for (const [what, list] of Object.entries(places)) console.log([`\n${what}: ${list.length}`, ...list].join("\n  "));
