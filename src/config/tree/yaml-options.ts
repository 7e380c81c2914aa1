/** How configurations are parsed. An edit relies on the same positions and values as the load, so both use these options. */
export const YAML_OPTIONS = {
  version: "1.2",
  schema: "core",
  merge: true,
  // Duplicate keys are reported during conversion, with both positions.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
} as const;
