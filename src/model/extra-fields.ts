/** The key under which a configuration declares fields that driftline has no name for. */
export const EXTRA_FIELDS = "extra_fields";

/** What editors, `explain` and the reference say about it. */
export const EXTRA_FIELDS_DESCRIPTION =
  "Fields that the service has and driftline does not know yet, by their names there. They are sent, compared and verified like all others. A value is left as it is if its entry is removed.";
