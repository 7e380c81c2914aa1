import * as fc from "fast-check";
import type { Json, JsonObject } from "../../../src/model/json/json.ts";

/** A value with a style, as a person may have written it. Every leaf and every key occurs once. */
export type Styled =
  | { readonly type: "leaf"; readonly value: Json; readonly style: number }
  | { readonly type: "list"; readonly items: readonly Styled[]; readonly style: number }
  | { readonly type: "map"; readonly members: readonly (readonly [string, Styled])[]; readonly style: number };

/** What becomes of a node: `same` in every way, or a new value. Containers are `same` if their children decide. */
type Change = "same" | "edit" | "remove" | "insert";

export interface StyledEdit {
  readonly text: string;
  readonly before: Json;
  readonly after: Json;
  /** Lines that hold no changed value. */
  readonly kept: readonly string[];
  readonly comments: readonly string[];
}

const texts = fc.oneof(
  fc.constantFrom(
    "a b",
    "it's",
    'say "x"',
    "x: y",
    "# no",
    "7",
    "yes",
    "",
    " lead",
    "two\nlines",
    "three\n\nlines\n",
    "é ✓",
    "- dash",
    "a${b}",
    "\u00A0no-break space",
    "em space\u2003",
    "a\n\u2003\nb",
    "lined \n",
    "a\nno-break space\u00A0\n",
    "empty\nlines\n\n\n",
  ),
  fc.string({ maxLength: 6 }),
);

const seeds = fc.letrec<{ value: Seed }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.record({ type: fc.constant("leaf" as const), text: texts, style: fc.nat(6), change: changes() }),
    fc.record({
      type: fc.constant("list" as const),
      of: fc.array(tie("value"), { maxLength: 4 }),
      style: fc.nat(3),
      change: changes(),
    }),
    fc.record({
      type: fc.constant("map" as const),
      of: fc.array(tie("value"), { maxLength: 4 }),
      style: fc.nat(3),
      change: changes(),
    }),
  ),
}));

function changes(): fc.Arbitrary<Change> {
  const same = { arbitrary: fc.constant<Change>("same"), weight: 6 };
  return fc.oneof(
    same,
    ...(["edit", "remove", "insert"] as const).map((one) => ({ arbitrary: fc.constant(one), weight: 1 })),
  );
}

type Seed =
  | { readonly type: "leaf"; readonly text: string; readonly style: number; readonly change: Change }
  | {
      readonly type: "list" | "map";
      readonly of: readonly Seed[];
      readonly style: number;
      readonly change: Change;
      /** Whether its first member says what it is about. */
      readonly hasSubject?: boolean;
    };

/** Members that share their values with other parts of the file. */
interface Shared {
  /** `alias: *base`, where `base` stands above. An edit writes a value in the place of the alias. */
  readonly alias: "none" | "same" | "edit";
  /** `<<: *base`. An edit adds a member that goes before the merged one; a removal is refused. */
  readonly merge: "none" | "same" | "edit" | "remove";
  /** `anchored: &own ...`, to which the end of the file refers. An edit is refused. */
  readonly anchor: "none" | "same" | "edit";
}

/** What is refused is rare here, so that the count of refusals says how often the editor gives up on anything else. */
const shared: fc.Arbitrary<Shared> = fc.record({
  alias: weighted({ none: 6, same: 3, edit: 2 }),
  merge: weighted({ none: 120, same: 60, edit: 60, remove: 1 }),
  anchor: weighted({ none: 120, same: 120, edit: 1 }),
});

function weighted<T extends string>(weights: Readonly<Record<T, number>>): fc.Arbitrary<T> {
  const all = Object.entries<number>(weights) as [T, number][];
  return fc.oneof(...all.map(([one, weight]) => ({ arbitrary: fc.constant(one), weight })));
}

/** A resource `insight` with random fields in random styles, and random changes of it. */
export const styledEdits: fc.Arbitrary<StyledEdit> = fc
  .record({
    of: fc.array(seeds.value, { minLength: 1, maxLength: 5 }),
    shared,
    comments: fc.infiniteStream(fc.nat(5)),
    windows: fc.boolean(),
  })
  .map(({ of, shared: references, comments, windows }) => write(of, references, comments, windows));

interface Line {
  readonly text: string;
  /** Whether everything on it is the same afterwards. */
  readonly kept: boolean;
}

interface Written {
  /** Lines of a block, or one text between brackets. */
  readonly lines: readonly Line[];
  readonly inline: string | undefined;
  readonly before: Json;
  /** Undefined if it is removed. */
  readonly after: Json | undefined;
  readonly same: boolean;
}

function write(of: readonly Seed[], references: Shared, rolls: Iterable<number>, windows: boolean): StyledEdit {
  const roll = rolls[Symbol.iterator]();
  let count = 0;
  const unique = (): number => ++count;
  const comment = (indent: string): readonly Line[] =>
    Number(roll.next().value) === 0 ? [{ text: `${indent}# comment ${unique()}`, kept: true }] : [];
  const root: Seed = { type: "map", of, style: 0, change: "same" };
  const written = emit(root, "  ", { unique, comment, roll: () => Number(roll.next().value) });
  const { alias, merge, anchor } = references;
  const extra = {
    ...(alias === "none" ? {} : { alias: { from: "base" } }),
    ...(merge === "none" ? {} : { from: "base" }),
    ...(anchor === "none" ? {} : { anchored: ["own"] }),
  };
  const changed = {
    ...extra,
    ...(alias === "edit" ? { alias: { from: "here" } } : {}),
    ...(merge === "edit" ? { from: "here" } : {}),
    ...(anchor === "edit" ? { anchored: ["own", "new"] } : {}),
  };
  const { from: _from, ...withoutMerged } = changed as { readonly from?: string };
  const before = { ...(written.before as JsonObject), ...extra };
  const after = { ...(written.after as JsonObject), ...(merge === "remove" ? withoutMerged : changed) };
  const lines = [
    { text: "base: &base { from: base } # first", kept: true },
    { text: "insight:", kept: JSON.stringify(after) !== "{}" },
    ...(merge === "none" ? [] : [{ text: "  <<: *base # merged", kept: true }]),
    ...written.lines,
    ...(alias === "none" ? [] : [{ text: "  alias: *base # alias", kept: alias === "same" }]),
    ...(anchor === "none" ? [] : [{ text: "  anchored: &own [own]", kept: anchor === "same" }]),
    { text: "# last", kept: true },
    { text: "other: 1", kept: true },
    ...(anchor === "none" ? [] : [{ text: "own: *own", kept: true }]),
  ];
  const end = windows ? "\r\n" : "\n";
  return {
    text: lines.map(({ text }) => text + end).join(""),
    before,
    after,
    kept: lines.filter(({ kept }) => kept).map(({ text }) => text),
    comments: lines.filter(({ text, kept }) => kept && isComment(text)).map(({ text }) => text),
  };
}

function isComment(line: string): boolean {
  return /^\s*# comment/.test(line);
}

interface Tools {
  readonly unique: () => number;
  readonly comment: (indent: string) => readonly Line[];
  readonly roll: () => number;
}

function emit(given: Seed, indent: string, tools: Tools, inFlow = false): Written {
  const seed = given.type === "list" ? listSeed(given) : given;
  if (seed.type === "leaf") return emitLeaf(seed, indent, tools, inFlow);
  const { unique, comment, roll } = tools;
  const isFlow = inFlow || seed.style === 3 || seed.of.length === 0;
  const children = seed.of.map((child, index) => ({
    child,
    key: seed.hasSubject === true && index === 0 ? "id" : `k${unique()}`,
    written: emit(child, seed.type === "list" ? `${indent}  ` : `${indent}  `, tools, isFlow),
  }));
  const isMap = seed.type === "map";
  const assemble = (values: readonly (readonly [string, Json])[]): Json =>
    isMap ? Object.fromEntries(values) : values.map(([, value]) => value);
  const before = assemble(children.map(({ key, written }) => [key, written.before]));
  const kept = children.flatMap(({ key, written, child }) =>
    child.change === "remove" || written.after === undefined ? [] : [[key, written.after] as const],
  );
  const inserted =
    seed.change === "insert" ? [[`new${unique()}`, { is: `new ${unique()}`, list: [unique()] }] as const] : [];
  const after = assemble([...kept, ...inserted]);
  const isSameShape = inserted.length === 0 && kept.length === children.length;
  const same = isSameShape && children.every(({ written }) => written.same);
  if (isFlow) {
    const parts = children.map(({ key, written }) => (isMap ? `${key}: ${written.inline}` : written.inline));
    const [open, close] = isMap ? ["{ ", " }"] : ["[", "]"];
    return {
      lines: [],
      inline: parts.length === 0 ? (isMap ? "{}" : "[]") : `${open}${parts.join(", ")}${close}`,
      before,
      after,
      same,
    };
  }
  // If nothing stays, the container is replaced by an empty one.
  const isLost = kept.length === 0;
  const lines = children.flatMap(({ key, written, child }): readonly Line[] => {
    const trailing = roll() === 0 ? ` # trailing ${unique()}` : "";
    const isHere = child.change !== "remove" && !isLost;
    const head = isMap ? `${indent}${key}:` : `${indent}-`;
    // An element that is gone, or is another one now, takes its comments along.
    const isOwnerHere = isMap || (isHere && (child.type !== "leaf" || written.same));
    const above = comment(indent).map((line) => ({ ...line, kept: isOwnerHere }));
    if (written.inline !== undefined) {
      // A block of text has its comment behind the header.
      const [first = "", ...rest] = written.inline.split("\n");
      return [
        ...above,
        { text: `${head} ${first}${rest.length > 0 ? "" : trailing}`, kept: isHere && written.same },
        ...rest.map((text) => ({ text, kept: isHere && written.same })),
      ];
    }
    const isEmptied = written.after !== undefined && JSON.stringify(written.after).length === 2;
    return [
      ...above,
      { text: `${head}${trailing}`, kept: isHere && !isEmptied },
      ...written.lines.map((line) => ({ ...line, kept: line.kept && (isHere || (isMap && isComment(line.text))) })),
    ];
  });
  return { lines, inline: undefined, before, after, same };
}

/**
 * Which element was edited and which one is new must be plain: mappings have a subject, lists in lists stay as they are, no element
 * is empty, and those around one that is removed or new are the same.
 */
function listSeed(
  seed: Extract<Seed, { readonly of: readonly Seed[] }>,
): Extract<Seed, { readonly of: readonly Seed[] }> {
  const of = seed.of.map((child): Seed => {
    const number = { type: "leaf", text: "", style: 6, change: "same" } as const;
    if (isEmptySeed(child)) return { ...number, change: child.change };
    if (child.type === "map") return { ...child, of: [number, ...child.of], hasSubject: true };
    return child.type === "list" ? frozen(child) : child;
  });
  const isReshaped = seed.change === "insert" || of.some(({ change }) => change === "remove");
  return { ...seed, of: isReshaped ? of.map(frozen) : of };
}

function isEmptySeed(seed: Seed): boolean {
  return seed.type !== "leaf" && seed.of.every((child) => child.change === "remove" || isEmptySeed(child));
}

function frozen(seed: Seed): Seed {
  const change = seed.change === "remove" ? "remove" : "same";
  return seed.type === "leaf"
    ? { ...seed, change }
    : { ...seed, change, of: seed.of.map((child) => ({ ...frozen(child), change: "same" })) };
}

function emitLeaf(
  { text, style, change }: Extract<Seed, { type: "leaf" }>,
  indent: string,
  { unique }: Tools,
  inFlow: boolean,
): Written {
  const value = style === 6 ? unique() : `${unique()} ${text.replaceAll("\r", "")}`;
  const after =
    change === "edit" || change === "insert" ? (typeof value === "number" ? value + 0.5 : `${value} edited`) : value;
  const same = after === value;
  return {
    lines: [],
    inline: scalar(typeof value === "string" ? value.replaceAll("${", () => "$${") : value, style, indent, inFlow),
    before: value,
    after,
    same,
  };
}

/** A text in a style that can hold it. */
function scalar(value: string | number, style: number, indent: string, inFlow: boolean): string {
  const json = JSON.stringify(value).replaceAll(
    /[\u007F-\uFFFF]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  if (typeof value === "number") return json;
  const isPrintable = /^[\u0020-\u007E\n]*$/.test(value);
  const isPlain = isPrintable && /^[\w ]*\w$/.test(value);
  if (style === 0 && isPlain) return value;
  if (style === 1 && isPrintable && !value.includes("\n")) return `'${value.replaceAll("'", "''")}'`;
  const isBlockText =
    isPrintable &&
    !inFlow &&
    !/[ \t]$/m.test(value) &&
    !value.endsWith("\n") &&
    !/^\s/m.test(value.replaceAll("\n", ""));
  if (style === 2 && isBlockText && !/\n\s/.test(value))
    return `|-\n${value
      .split("\n")
      .map((line) => indent + line)
      .join("\n")}`;
  if (style === 3 && isBlockText && /^\S+( \S+)+$/.test(value))
    return `>-\n${indent}${value.replace(" ", `\n${indent}`)}`;
  // A folded text has one line end less than the file.
  if (style === 3 && isBlockText && !/\n\s*\n|\n\s/.test(value))
    return `>-\n${value
      .split("\n")
      .map((line) => indent + line)
      .join("\n\n")}`;
  return json;
}
