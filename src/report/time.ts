/** Times as every report for people shows them. */

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*Z$/u;

/** A time of ISO 8601 in UTC, to the minute or to the second. Any other text is returned as it is. */
export function timeText(iso: string, to: "minute" | "second" = "minute"): string {
  if (!TIME.test(iso)) return iso;
  return `${iso.slice(0, to === "minute" ? 16 : 19).replace("T", " ")} UTC`;
}
