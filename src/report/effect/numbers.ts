/** How the numbers of an effect are written, in every format. */

/** A number in full, such as `1,234.5`. 15 digits leave out the noise of binary fractions. */
export function exactNumber(value: number): string {
  return grouped(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
}

/** A number to read: an integer in full, others with 6 digits, or with 2 behind the point. */
export function readableNumber(value: number): string {
  if (Number.isInteger(value)) return grouped(value);
  return grouped(Number(Math.abs(value) < 1000 ? value.toPrecision(6) : value.toFixed(2)));
}

const COMPACT = { notation: "compact", maximumSignificantDigits: 4 } as const;

/** A number in a few characters, for an axis: `1.2M`, `3.4e-7`. */
export function compactNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e15)) return grouped(Number(value.toPrecision(4)), "e");
  return new Intl.NumberFormat("en-US", COMPACT).format(value === 0 ? 0 : value);
}

/** A change in percent, with its sign. A small one keeps two digits, so that it is not taken for none. */
export function percentText(percent: number): string {
  return `${signedText(percent)}%`;
}

/** A change of a share, with its sign: from 4% to 6% it is 2 points, and not 50%. */
export function pointsText(points: number): string {
  return `${signedText(points)} ${Math.abs(points) === 1 ? "point" : "points"}`;
}

function signedText(percent: number): string {
  const size = Math.abs(percent);
  const rounded = Number(size < 1 ? percent.toPrecision(2) : percent.toFixed(size < 100 ? 1 : 0));
  return `${rounded > 0 ? "+" : ""}${grouped(rounded)}`;
}

/** A part of a whole in percent. */
export function shareText(part: number, whole: number): string {
  return `${grouped(Number(((part / whole) * 100).toPrecision(3)))}%`;
}

/** With commas between the thousands, unless it has an exponent. */
function grouped(value: number, notation: "e" | "plain" = "plain"): string {
  const text = notation === "e" ? value.toExponential() : String(value === 0 ? 0 : value);
  if (text.includes("e")) return text.replace("e+", "e");
  return text.replace(/^-?\d+/, (digits) => digits.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, ","));
}
