import { configDefinitions, destinationConfigs } from "./config-parts.ts";
import type { FieldSchema } from "./field-schema.ts";
import { mapValues, omit, ref } from "./schema-tools.ts";
import type { Source } from "./source.ts";

/**
 * The schema by which a file is validated after substitution. In YAML, a key without members is null. What a part requires depends on
 * other files, so it is checked when all are merged.
 */
export function fileSchema(source: Source): FieldSchema {
  const { Config, ...parts } = configDefinitions(source, ref);
  const settings = destinationConfigs(source);
  const definitions = mapValues(parts, (part, name): FieldSchema => {
    const rest = omit(part, (key) => key === "required");
    return name in settings ? rest : { ...rest, type: ["object", "null"] };
  });
  return { ...Config, definitions };
}
