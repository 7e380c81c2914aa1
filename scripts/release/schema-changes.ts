/**
 * What a new schema for Pulumi takes away from the programs of users.
 *
 * Premise: names, types and what is required are in programs and in generated SDKs. What a program gives may become optional, and
 * what it gets may become certain, but not the other way round.
 */

/** The parts of a schema that a program depends on. */
export interface Schema {
  readonly version: string;
  readonly config: { readonly variables: Properties };
  readonly types: Readonly<Record<string, Type>>;
  readonly resources: Readonly<Record<string, Resource>>;
}

type Properties = Readonly<Record<string, object>>;

interface Type {
  readonly type: string;
  readonly enum?: readonly { readonly value: unknown }[];
  readonly properties?: Properties;
}

interface Resource {
  readonly inputProperties: Properties;
  readonly requiredInputs?: readonly string[];
  readonly properties: Properties;
  readonly required?: readonly string[];
  readonly aliases?: readonly { readonly type: string }[];
}

/** What may change without breaking a program. */
const WORDS: ReadonlySet<string> = new Set(["description", "deprecationMessage", "willReplaceOnChanges"]);

/** The changes that break programs, in sentences. A new major version may make them. */
export function breakingChanges(before: Schema, after: Schema): readonly string[] {
  if (majorOf(after.version) > majorOf(before.version)) return [];
  return [
    ...changedProperties("the setting", before.config.variables, after.config.variables),
    ...Object.entries(before.types).flatMap(([name, type]) => changedType(name, type, after.types[name])),
    ...Object.entries(before.resources).flatMap(([name, resource]) =>
      changedResource(name, resource, after.resources[name]),
    ),
  ];
}

/** The parts of a schema that are compared, as a release records them. */
export function recordOf({ version, config, types, resources }: Schema): Schema {
  const typeRecord = ({ type, enum: values, properties }: Type): Type => ({
    type,
    ...(values === undefined ? {} : { enum: values.map(({ value }) => ({ value })) }),
    ...(properties === undefined ? {} : { properties: shapesOf(properties) }),
  });
  const resourceRecord = (resource: Resource): Resource => ({
    inputProperties: shapesOf(resource.inputProperties),
    requiredInputs: resource.requiredInputs ?? [],
    properties: shapesOf(resource.properties),
    required: resource.required ?? [],
    aliases: resource.aliases ?? [],
  });
  return {
    version,
    config: { variables: shapesOf(config.variables) },
    types: mapEntries(types, typeRecord),
    resources: mapEntries(resources, resourceRecord),
  };
}

function changedResource(name: string, before: Resource, after: Resource | undefined): readonly string[] {
  if (after === undefined) return [`${name} is gone`];
  const required = new Set(before.requiredInputs);
  const certain = new Set(after.required);
  const aliases = new Set((after.aliases ?? []).map(({ type }) => type));
  return [
    ...changedProperties(`the input ${name}`, before.inputProperties, after.inputProperties),
    ...changedProperties(`the output ${name}`, before.properties, after.properties),
    ...(after.requiredInputs ?? [])
      .filter((input) => !required.has(input))
      .map((input) => `the input ${name}.${input} is required now`),
    ...(before.required ?? [])
      .filter((output) => !certain.has(output) && output in after.properties)
      .map((output) => `the output ${name}.${output} may be missing now`),
    ...(before.aliases ?? [])
      .filter(({ type }) => !aliases.has(type))
      .map(({ type }) => `${name} does not take over ${type} any more`),
  ];
}

function changedType(name: string, before: Type, after: Type | undefined): readonly string[] {
  if (after === undefined) return [`the type ${name} is gone`];
  const values = new Set((after.enum ?? []).map(({ value }) => value));
  return [
    ...(after.type === before.type ? [] : [`the type ${name} is another one`]),
    ...(before.enum ?? [])
      .filter(({ value }) => !values.has(value))
      .map(({ value }) => `the type ${name} lacks the value ${JSON.stringify(value)}`),
    ...changedProperties(`the type ${name}`, before.properties ?? {}, after.properties ?? {}),
  ];
}

function changedProperties(what: string, before: Properties, after: Properties): readonly string[] {
  return Object.entries(before).flatMap(([name, property]) => {
    const other = after[name];
    if (other === undefined) return [`${what}.${name} is gone`];
    return JSON.stringify(shapeOf(property)) === JSON.stringify(shapeOf(other))
      ? []
      : [`${what}.${name} has another type`];
  });
}

function shapesOf(properties: Properties): Properties {
  return mapEntries(properties, shapeOf);
}

/** The property without the words about it, with its keys in order. */
function shapeOf(property: object): object {
  const entries = Object.entries(property).filter(([key]) => !WORDS.has(key));
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function mapEntries<T, U>(entries: Readonly<Record<string, T>>, map: (value: T) => U): Readonly<Record<string, U>> {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, map(value)]));
}

function majorOf(version: string): number {
  return Number(version.split(".")[0]);
}
