/**
 * Every fault on every request of every kind; one of five faults on each request, unless DRIFTLINE_TESTS is `all`. Neighbours in row
 * and column are tried on different dialects, so that each fault and each request meets both. The tables are printed. Each table has a
 * file of its own, so that the files run side by side.
 */
import { expect, it } from "vitest";
import type { KindName } from "../../../src/model/kind-name.ts";
import { part } from "../../support/budget.ts";
import { refer, tryCell, type Dialect, type Reference } from "./cell.ts";
import { FAULTS, type FaultRow } from "./faults.ts";
import { COLUMNS, type Column } from "./specimens.ts";

/** Requests that deployed servers refuse on a route: their cells are tried on the document's dialect only. */
const CLOSED = /^batch_export \(organization\) (?:batch_exports\.list|get|create|update)$/;
/** A cell of the printed table: green, red, or no such request; `..` if it was not tried. */
const [GREEN, RED, NONE] = ["ok", "XX", "--"];

type References = ReadonlyMap<Dialect, Reference | undefined>;

/** Kinds whose faults are shown in one table. Each fault hits at least one request of each table. */
export const TABLES = {
  organizations: ["organization", "domain", "identity_provider_config", "invite"],
  people: ["membership", "member", "insight"],
  "batch-exports": ["batch_export"],
  plugins: ["pipeline_destination", "pipeline_frontend_app", "pipeline_import_app"],
} as const satisfies Readonly<Record<string, readonly KindName[]>>;

/** The tests of one table. Kinds that are alike have one implementation: they share the faults, unless DRIFTLINE_TESTS is `all`. */
export function expectFaults(names: readonly KindName[], { areAlike = false } = {}): void {
  const columns = COLUMNS.filter(({ specimen }) => names.includes(specimen.kind.name));
  const cells = new Map<string, string>();

  // Side by side, because a time-out takes a second or more: undici looks at its clock only twice in a second.
  it.concurrent.each(columns.map((column, number) => [column.name, column, number] as const))(
    "%s has the reported result under every fault",
    async (_name, column, number) => {
      const { dialects } = column.specimen;
      const references = new Map<Dialect, Reference | undefined>();
      for (const dialect of dialects) references.set(dialect, await refer(column, dialect));
      const closed = dialects.filter((dialect) => references.get(dialect) === undefined);
      expect(closed).toEqual(CLOSED.test(column.name) ? ["deployed"] : []);
      const wrong: string[] = [];
      const place = areAlike ? names.indexOf(column.specimen.kind.name) : 0;
      const faults = part([...FAULTS.entries()], number);
      for (const [index, [, fault]] of part([...faults.entries()], place, areAlike ? names.length : 1)) {
        const dialect = dialects[(number + index) % dialects.length] ?? "document";
        const problems = await tryOne(column, fault, dialect, references);
        cells.set(`${fault.name} ${column.name}`, problems === undefined ? NONE : problems.length > 0 ? RED : GREEN);
        wrong.push(...(problems ?? []));
      }
      expect(wrong).toEqual([]);
    },
  );

  it("is a matrix of at least 30 faults", () => {
    const green = [...cells.values()].filter((cell) => cell === GREEN).length;
    console.log(table(columns, cells));
    console.log(`${String(green)} cells ok: ${String(FAULTS.length)} faults on ${String(columns.length)} requests`);
    expect(FAULTS.length).toBeGreaterThanOrEqual(30);
    // A fault that hits no request would prove nothing.
    expect(FAULTS.filter(({ on }) => !columns.some(({ request }) => on(request)))).toEqual([]);
  });
}

/** The problems; undefined if the fault cannot hit the request. */
async function tryOne(
  column: Column,
  fault: FaultRow,
  wanted: Dialect,
  references: References,
): Promise<readonly string[] | undefined> {
  if (!fault.on(column.request)) return undefined;
  const dialect = references.get(wanted) === undefined ? "document" : wanted;
  const reference = references.get(dialect);
  if (reference === undefined) return [`${column.name} cannot be done at all`];
  const problems = await tryCell(column, fault, dialect, reference);
  return problems.map((problem) => `${column.name}, ${fault.name}, ${dialect}: ${problem}`);
}

function table(columns: readonly Column[], cells: ReadonlyMap<string, string>): string {
  const legend = columns.map(({ name }, index) => `${String(index + 1).padStart(3)} ${name}`);
  const head = columns.map((_column, index) => String(index + 1).padStart(3)).join("");
  const rows = FAULTS.map(({ name }) => {
    const own = columns.map((column) => ` ${cells.get(`${name} ${column.name}`) ?? ".."}`);
    return `${name.padEnd(34)}${own.join("")}`;
  });
  return [...legend, `${" ".repeat(34)}${head}`, ...rows].join("\n");
}
