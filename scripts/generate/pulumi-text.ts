import type { FieldSchema } from "./field-schema.ts";
import type { KindSource } from "./kind-schema.ts";
import { camelCase } from "./pulumi-file.ts";
import { mapSchema, mapValues, withoutSources } from "./schema-tools.ts";
import type { Source } from "./source.ts";

/** What only holds for configurations and plans of driftline. */
const NOT_IN_PULUMI: readonly string[] = [
  ", and the plan says whether it sends an e-mail",
  ", and the plan says whether that sends an e-mail",
  " What lifecycle.ignore or lifecycle.partial leaves to others keeps its live value if both nodes are of one kind.",
];

/** A field or a collection of a configuration. */
const NAME = /\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g;

/** The same source with descriptions for users of Pulumi: without sources of facts, and with Pulumi's names. */
export function forPulumi(source: Source): Source {
  const classes = new Map(Object.values(source.kinds).map((kind) => [kind["x-collection"], kind.title]));
  return { ...source, kinds: mapValues(source.kinds, (kind) => translateKind(kind, classes)) };
}

function translateKind(kind: KindSource, classes: ReadonlyMap<string, string>): KindSource {
  const translate = (text: string): string =>
    NOT_IN_PULUMI.reduce((rest, part) => rest.replace(part, ""), withoutSources(text)).replaceAll(
      NAME,
      (name) => classes.get(name) ?? (Object.hasOwn(kind.properties, name) ? camelCase(name) : name),
    );
  const translated = mapSchema(kind, (part: FieldSchema): FieldSchema =>
    part.description === undefined
      ? part
      : {
          ...part,
          description: translate(part.description),
          ...(part["x-values"] && { "x-values": mapValues(part["x-values"], translate) }),
        },
  );
  return translated as KindSource;
}
