/** Nobody needs so many digits. Characters. */
const LONGEST = 1_000;

/** Whether a number, as JSON and YAML write it, is the same one once it is parsed and written again. */
export function isExact(text: string): boolean {
  if (text.length > LONGEST) return false;
  const parsed = Number(text);
  return Number.isFinite(parsed) && decimal(text) === decimal(String(parsed));
}

/** The one spelling of a decimal number: its digits and a power of ten. */
function decimal(text: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/iu.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/u, "");
  const significant = digits.replace(/0+$/u, "");
  if (significant === "") return "0";
  return `${sign === "-" ? "-" : ""}${significant}e${String(Number(power) - fraction.length + digits.length - significant.length)}`;
}
