/**
 * Comments at random places of a file survive its edits, beside what they stand beside.
 *
 * Terms: a token is a key or a leaf; each occurs once. The owner of a comment behind something is that token, and so is that of a
 * comment above an element of a list in lines. Other comments with a line of their own have none.
 * Algorithm: write a random mapping with random comments, and change it at random. Comments and tokens that are in the file
 * before and afterwards have to be in the same order. Only a comment whose owner is gone may be gone.
 */
import * as fc from "fast-check";
import { parse } from "yaml";
import { expect, it } from "vitest";
import { editAt } from "../edit-at.ts";
import { editYaml } from "../../../../src/edit/yaml/edit-yaml.ts";
import type { Json } from "../../../../src/model/json/json.ts";
import { budget, isWhole } from "../../../support/budget.ts";

interface Comment {
  readonly id: string;
  readonly owner: string | undefined;
}

interface Written {
  /** What stands on the line of its key or dash, with the comment at its end. */
  readonly head: string;
  /** The lines below. */
  readonly lines: readonly string[];
  readonly before: Json;
  readonly after: Json;
}

class Writer {
  readonly comments: Comment[] = [];
  readonly #rolls: Iterator<number>;
  #count = 0;

  constructor(rolls: Iterable<number>) {
    this.#rolls = rolls[Symbol.iterator]();
  }

  /** Whether something with a chance of one in `sides` happens. */
  is(sides: number): boolean {
    return this.pick(sides) === 0;
  }

  pick(sides: number): number {
    return Number(this.#rolls.next().value) % sides;
  }

  token(letter: string): string {
    return `${letter}${String(++this.#count)}e`;
  }

  /** A comment behind something, or nothing. */
  behind(owner: string): string {
    return this.is(3) ? ` ${this.#comment(owner)}` : "";
  }

  /** Comments with lines of their own. */
  above(indent: string, owner?: string): readonly string[] {
    return this.is(4) ? [indent + this.#comment(owner)] : [];
  }

  #comment(owner: string | undefined): string {
    const id = this.token("c");
    this.comments.push({ id, owner });
    return `# ${id}`;
  }
}

/** Each child with what becomes of it. Of lists, only some elements are removed, or new ones come at the end. */
interface Child extends Written {
  readonly key: string;
  readonly isGone: boolean;
}

const assemble = (isMap: boolean, members: readonly (readonly [string, Json])[]): Json =>
  isMap ? Object.fromEntries(members) : members.map(([, value]) => value);

function valuesOf(writer: Writer, isMap: boolean, children: readonly Child[]): Pick<Written, "before" | "after"> {
  const added = writer.is(4) ? [[writer.token("n"), writer.token("w")] as const] : [];
  const kept = children.filter(({ isGone }) => !isGone).map(({ key, after }) => [key, after] as const);
  return {
    before: assemble(
      isMap,
      children.map(({ key, before }) => [key, before]),
    ),
    after: assemble(isMap, [...kept, ...added]),
  };
}

type Write = (writer: Writer, owner: string, indent: string, depth: number) => Written;

const leaf: Write = (writer, owner) => {
  const value = writer.token("v");
  const text = [value, `'${value}'`, `"${value}"`][writer.pick(3)] ?? "";
  const after = writer.is(5) ? `${writer.token("w")} new` : value;
  return { head: ` ${text}${writer.behind(owner)}`, lines: [], before: value, after };
};

const nothing: Write = (writer, owner) => {
  const after =
    [null, null, writer.token("w"), { [writer.token("n")]: 1 }, [writer.token("w")]][writer.pick(5)] ?? null;
  return { head: writer.behind(owner), lines: [], before: null, after };
};

const block: Write = (writer, owner, indent) => {
  const value = writer.token("v");
  const header = ["|", "|-", "|+", ">", ">+", ">-"][writer.pick(6)] ?? "";
  const lines = [
    `${indent}${value}${["", " ", "  "][writer.pick(3)] ?? ""}`,
    ...["", `${indent} `].slice(writer.pick(3)),
  ];
  const before = (parse(`a: ${header}\n${lines.join("\n")}\n`) as { readonly a: string }).a;
  const after = writer.is(2) ? `${writer.token("w")} new${["", "\n", "\n\n"][writer.pick(3)] ?? ""}` : before;
  return { head: ` ${header}${writer.behind(owner)}`, lines, before, after };
};

/** Brackets on one line, or on several with comments between them. */
const brackets: Write = (writer, owner, indent) => {
  const isMap = writer.is(2);
  const children = Array.from({ length: writer.pick(4) }, (_, index): Child => {
    const key = isMap ? writer.token("k") : String(index);
    const value = writer.token("v");
    const after = isMap && writer.is(6) ? writer.token("w") : value;
    return { key, isGone: writer.is(4), head: isMap ? `${key}: ${value}` : value, lines: [], before: value, after };
  });
  const [open, close] = isMap ? ["{", "}"] : ["[", "]"];
  const values = valuesOf(writer, isMap, children);
  const heads = children.map(({ head }) => head);
  if (writer.is(3)) return { head: ` ${open}${heads.join(", ")}${close}${writer.behind(owner)}`, lines: [], ...values };
  const hasLastComma = writer.is(2);
  const isTight = children.length > 0 && writer.is(3);
  const lines = children.flatMap(({ key, head, before }, index) => {
    const comma = index < children.length - 1 || hasLastComma ? "," : "";
    const comment = writer.behind(isMap ? key : String(before));
    const isLast = isTight && index === children.length - 1 && comment === "";
    return [...writer.above(indent), `${indent}${head}${comma}${isLast ? close : comment}`];
  });
  const isClosed = lines.at(-1)?.endsWith(close) === true;
  // Without elements, a comment behind the last bracket comes to the line of the key, so before those inside.
  const last = isClosed || children.length === 0 ? "" : writer.behind(owner);
  const end = isClosed ? [] : [...writer.above(indent), `${indent}${close}${last}`];
  const all = [...lines, ...end];
  const isOpenTight = writer.is(3) && all[0]?.trim().startsWith("#") === false;
  return isOpenTight
    ? { head: ` ${open}${(all[0] ?? "").trim()}`, lines: all.slice(1), ...values }
    : { head: ` ${open}${writer.behind(owner)}`, lines: all, ...values };
};

/** A mapping or a list in lines. */
const lined: Write = (writer, owner, indent, depth) => {
  const isMap = writer.is(2);
  const head = writer.behind(owner);
  const lines: string[] = [];
  const children = Array.from({ length: 1 + writer.pick(3) }, (): Child => {
    const key = writer.token("k");
    const child = isMap ? any(writer, key, `${indent}  `, depth + 1) : leafOfList(writer);
    lines.push(...writer.above(indent, isMap ? undefined : String(child.before)));
    lines.push(`${indent}${isMap ? `${key}:` : "-"}${child.head}`, ...child.lines);
    return { ...child, key, isGone: writer.is(5) };
  });
  return { head, lines, ...valuesOf(writer, isMap, children) };
};

function leafOfList(writer: Writer): Written {
  const value = writer.token("v");
  return { head: ` ${value}${writer.behind(value)}`, lines: [], before: value, after: value };
}

const any: Write = (writer, owner, indent, depth) => {
  const ways = [leaf, nothing, block, brackets, brackets, ...(depth < 3 ? [lined, lined] : [])];
  return (ways[writer.pick(ways.length)] ?? leaf)(writer, owner, indent, depth);
};

/** The comments and tokens of a text that are in both texts, in their order. */
function orderOf(text: string, other: string): readonly string[] {
  const tokens = (one: string): readonly string[] => one.match(/\b[ckv]\d+e\b/g) ?? [];
  const shared = new Set(tokens(other));
  return tokens(text).filter((one) => shared.has(one));
}

it("comments stay beside what they stand beside", () => {
  let refusals = 0;
  const runs = budget(5000);
  const property = fc.property(fc.infiniteStream(fc.nat(59)), fc.boolean(), (rolls, windows) => {
    const writer = new Writer(rolls);
    const { head, lines, before, after } = lined(writer, "web", "  ", 0);
    fc.pre(!Array.isArray(before));
    const end = windows ? "\r\n" : "\n";
    const text = [`web:${head}`, ...lines, "# cLast", "other: 1", ""].join(end);
    expect((parse(text) as { readonly web: Json }).web).toEqual(before);
    const { text: result, refused } = editYaml(text, [editAt(1, 1, { path: "", declared: before, value: after })]);
    if (refused.length > 0) {
      refusals += 1;
      expect(result).toBe(text);
      return;
    }
    const shown = `${text}=>\n${result}`;
    expect(parse(result), shown).toEqual({ web: after, other: 1 });
    expect(orderOf(result, text), shown).toEqual(orderOf(text, result));
    for (const { id, owner } of writer.comments)
      if (owner === undefined || new RegExp(`\\b${owner}\\b`).test(result)) expect(result, shown).toContain(`# ${id}`);
  });
  fc.assert(property, { numRuns: runs });
  if (isWhole) expect(refusals / runs).toBeLessThan(0.1);
});
