/** Times as every report for people shows them. */

/** A time of ISO 8601 in UTC, to the minute or to the second. */
export function timeText(iso: string, to: "minute" | "second" = "minute"): string {
  return `${iso.slice(0, to === "minute" ? 16 : 19).replace("T", " ")} UTC`;
}
