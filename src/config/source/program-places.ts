/**
 * Where a program wrote its values.
 *
 * Premise: a program is run, so its export has no positions. But most of it is written as literals, `{...}` and `[...]`.
 * Algorithm: while jiti transpiles the files of a program, their literals are noted from the syntax tree. A JSON Pointer is then
 * followed from the default export, through literals, constants and imports. A value that is computed or spread has no place.
 */
import { dirname, resolve } from "node:path";
import { pointerKeys } from "../../model/pointer.ts";

/** A place in a file. Lines and columns start at 1. */
export interface SourceLocation {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** An expression: a literal with its members by key or index, or the name of a constant. All others have neither. */
interface Expression {
  readonly at: SourceLocation;
  readonly members?: Members;
  /** As {@link constantId} writes it. */
  readonly constant?: string;
}

type Members = ReadonlyMap<string, { readonly at: SourceLocation; readonly value: Expression }>;

/** The members of a node of the syntax tree that are used here. The parser is inside of jiti, and its types are not public. */
interface SyntaxNode {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
  readonly [member: string]: unknown;
}

/** The wrappers that return their first argument. */
const TRANSPARENT_CALLS: ReadonlySet<unknown> = new Set(["defineConfig", "resolve", "freeze"]);

/** The most names that one value is followed through. Modules may import a name from each other in a circle. */
const MAX_NAMES = 20;

/** The places of the files of one program. */
export class ProgramPlaces {
  /** The constants at the top of the files, and what they import. */
  readonly #constants = new Map<string, Expression>();

  /** Notes the literals of a file. It must be called before the syntax tree is transformed. */
  add(path: string, statements: readonly SyntaxNode[]): void {
    for (const statement of statements)
      for (const [name, value] of constantsOf(statement, path)) this.#constants.set(constantId(path, name), value);
  }

  /** The place of the value at a JSON Pointer into the default export; undefined if it is not known. */
  find(path: string, pointer: string): SourceLocation | undefined {
    let value = this.#follow(this.#constants.get(constantId(path, "default")));
    let at = value?.at;
    for (const key of pointerKeys(pointer)) {
      const member = value?.members?.get(key);
      at = member?.at;
      value = this.#follow(member?.value);
    }
    return at;
  }

  #follow(value: Expression | undefined): Expression | undefined {
    let followed = value;
    for (let names = 0; followed?.constant !== undefined && names < MAX_NAMES; names += 1)
      followed = this.#constants.get(followed.constant);
    return followed;
  }
}

function constantId(path: string, name: string): string {
  return `${path}#${name}`;
}

/** What a statement at the top of a file names. The default export is `default`. */
function constantsOf(statement: SyntaxNode, path: string): readonly (readonly [string, Expression])[] {
  const declaration = (statement["declaration"] ?? statement) as SyntaxNode;
  if (statement.type === "ExportDefaultDeclaration") return [["default", expressionOf(declaration, path)]];
  if (declaration.type === "VariableDeclaration" && declaration["kind"] === "const")
    return nodesIn(declaration["declarations"]).flatMap(({ id, init }) => {
      const { type, name } = id as SyntaxNode;
      return type === "Identifier" ? [[String(name), expressionOf(init as SyntaxNode, path)] as const] : [];
    });
  if (statement.type !== "ImportDeclaration") return [];
  const target = resolve(dirname(path), String((statement["source"] as SyntaxNode)["value"]));
  return nodesIn(statement["specifiers"]).map(({ local, imported }) => {
    const { name = "default" } = (imported ?? {}) as Partial<SyntaxNode>;
    const constant = constantId(target, String(name));
    return [String((local as SyntaxNode)["name"]), { at: locationOf(statement, path), constant }];
  });
}

function expressionOf(node: SyntaxNode, path: string): Expression {
  const at = locationOf(node, path);
  if (node.type === "ObjectExpression") return { at, members: membersOf(nodesIn(node["properties"]), path) };
  if (node.type === "ArrayExpression") return { at, members: itemsOf(nodesIn(node["elements"]), path) };
  if (node.type === "Identifier") return { at, constant: constantId(path, String(node["name"])) };
  if (/^(?:TS|Await|Parenthesized).*Expression$/u.test(node.type))
    return expressionOf((node["expression"] ?? node["argument"]) as SyntaxNode, path);
  const callee = node["callee"] as SyntaxNode | undefined;
  const called = callee?.["name"] ?? (callee?.["property"] as SyntaxNode | undefined)?.["name"];
  const [argument] = nodesIn(node["arguments"]);
  return argument !== undefined && TRANSPARENT_CALLS.has(called) ? expressionOf(argument, path) : { at };
}

/** The members by key. What is spread or computed may have every key of what stands before it. */
function membersOf(properties: readonly SyntaxNode[], path: string): Members {
  const start = properties.findLastIndex((one) => one.type === "SpreadElement" || one["computed"] === true) + 1;
  const members = properties.slice(start).map((property) => {
    const key = property["key"] as SyntaxNode;
    const value = expressionOf((property["value"] ?? property) as SyntaxNode, path);
    return [String(key["name"] ?? key["value"]), { at: locationOf(property, path), value }] as const;
  });
  return new Map(members);
}

/** The items by index. The indices behind a spread are not known. */
function itemsOf(elements: readonly (SyntaxNode | null)[], path: string): Members {
  const spread = elements.findIndex((element) => element?.type === "SpreadElement");
  const known = elements.slice(0, spread < 0 ? elements.length : spread);
  const items = known.map((element, index) => {
    const value = element && expressionOf(element, path);
    return value === null ? [] : [[String(index), { at: value.at, value }] as const];
  });
  return new Map(items.flat());
}

function locationOf({ loc: { start } }: SyntaxNode, path: string): SourceLocation {
  return { path, line: start.line, column: start.column + 1 };
}

function nodesIn(list: unknown): readonly SyntaxNode[] {
  return Array.isArray(list) ? (list as readonly SyntaxNode[]) : [];
}
