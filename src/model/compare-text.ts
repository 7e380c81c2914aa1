/** Compares texts by code units, so the order does not depend on the locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** One locale for all machines, so that a plan has the same order and the same hash everywhere. Made when it is first needed. */
let collator: Intl.Collator | undefined;

/**
 * Compares names and addresses as people sort them: `i2` before `i10`. A parent and what is below it stay together. Texts that
 * only look equal, such as `07` and `7`, have an order as well.
 */
export function compareNaturally(left: string, right: string): number {
  collator ??= new Intl.Collator("en", { numeric: true });
  const [parts, others] = [left.split("/"), right.split("/")];
  for (const [index, part] of parts.entries()) {
    const other = others[index];
    if (other === undefined) return 1;
    const order = part === other ? 0 : collator.compare(part, other) || compareText(part, other);
    if (order !== 0) return order;
  }
  return parts.length - others.length;
}
