/** The figures of a soak so far. */
export interface Tally {
  /** Adds to a figure. */
  add(figure: string, by?: number): void;
  /** Adds to the hits of a fault. */
  hit(fault: string, by: number): void;
  figure(name: string): number;
  readonly figures: ReadonlyMap<string, number>;
  readonly hits: ReadonlyMap<string, number>;
}

export function createTally(): Tally {
  const figures = new Map<string, number>();
  const hits = new Map<string, number>();
  const into = (counts: Map<string, number>, name: string, by: number): void =>
    void counts.set(name, (counts.get(name) ?? 0) + by);
  return {
    add: (figure, by = 1) => into(figures, figure, by),
    hit: (fault, by) => into(hits, fault, by),
    figure: (name) => figures.get(name) ?? 0,
    figures,
    hits,
  };
}

/** The figures and the hits of each fault, as lines. */
export function render({ figures, hits }: Tally): string {
  const rows = (counts: ReadonlyMap<string, number>): readonly string[] =>
    [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `  ${name.padEnd(44)}${count}`);
  return [...rows(figures), "hits by fault:", ...rows(hits), ""].join("\n");
}

/** Adds the hits of an emulator's rules, by the names of the rules. */
export interface Rules {
  readonly note: (name: string, handle: { readonly hits: number }) => void;
  /** Adds the hits since the last call to a tally. Returns their number. */
  readonly collect: (tally: Tally) => number;
}

export function createRules(): Rules {
  let noted: { readonly name: string; readonly handle: { readonly hits: number } }[] = [];
  return {
    note: (name, handle) => void noted.push({ name, handle }),
    collect: (tally) => {
      const struck = noted.filter(({ handle }) => handle.hits > 0);
      for (const { name, handle } of struck) tally.hit(name, handle.hits);
      noted = [];
      return struck.reduce((sum, { handle }) => sum + handle.hits, 0);
    },
  };
}
