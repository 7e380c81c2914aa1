const DAY = [
  "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
  "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)",
  "02-(?:0[1-9]|1[0-9]|2[0-9])",
].join("|");
const TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]+)?)?";
const ZONE = "Z|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9]";

/**
 * Formats as regular expressions, so that they are written into the compiled validators. A time without a zone is taken as
 * UTC by the service (Server facts); 29 February passes in every year.
 */
export const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  email: /^[^\s@"(),:;<>[\\\]]+@(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/i,
  "date-time": new RegExp(`^[0-9]{4}-(?:${DAY})T${TIME}(?:${ZONE})?$`),
};
