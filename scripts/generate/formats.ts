const DAY = [
  "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
  "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)",
  "02-(?:0[1-9]|1[0-9]|2[0-9])",
].join("|");
const TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]+)?)?";
const ZONE = "Z|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9]";

/**
 * Formats as regular expressions, which are written into the compiled validators. The service reads a time without a zone as
 * UTC (Server facts). 29 February is accepted in every year.
 */
export const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  email: /^[^\s@"(),:;<>[\\\]]+@(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/i,
  "date-time": new RegExp(`^[0-9]{4}-(?:${DAY})T${TIME}(?:${ZONE})?$`),
};

/** Keywords of config.schema.json that only editors know. A strict validator needs the list, to ignore them. */
export const EDITOR_KEYWORDS = ["enumDescriptions", "deprecationMessage"];
