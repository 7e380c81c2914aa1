/** A longer number is never exact. Characters. */
const MAX_LENGTH = 1_000;

/** Whether a number in JSON or YAML stays the same if it is parsed and written again. */
export function isExact(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const parsed = Number(text);
  return Number.isFinite(parsed) && decimal(text) === decimal(String(parsed));
}

/** The normal form of a decimal number: its digits and a power of ten. */
function decimal(text: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/iu.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/u, "");
  const significant = digits.replace(/0+$/u, "");
  if (significant === "") return "0";
  return `${sign === "-" ? "-" : ""}${significant}e${String(Number(power) - fraction.length + digits.length - significant.length)}`;
}
