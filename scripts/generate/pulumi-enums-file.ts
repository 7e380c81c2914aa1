import { layout } from "./layout.ts";
import { HEADER } from "./source.ts";

interface SchemaType {
  readonly description?: string;
  readonly enum?: readonly { readonly name?: string; readonly value: string }[];
}

interface Enumeration {
  readonly name: string;
  readonly description: string;
  /** The values by the names of the members. */
  readonly members: Readonly<Record<string, string>>;
}

/** The enumerations of the Pulumi schema, with the names that Pulumi gives their members in TypeScript. */
export function enumerationsIn(schema: Readonly<Record<string, unknown>>): readonly Enumeration[] {
  const types = schema["types"] as Readonly<Record<string, SchemaType>>;
  return Object.entries(types).flatMap(([token, { description = "", enum: values }]) => {
    if (values === undefined) return [];
    const upper = (name: string): string => name.replace(/^./u, (letter) => letter.toUpperCase());
    const members = Object.fromEntries(values.map(({ name, value }) => [upper(name ?? value), value]));
    return [{ name: token.split(":").at(-1) ?? "", description, members }];
  });
}

/** `src/generated/pulumi-enums.ts`: what the programs that `pulumi import` writes in TypeScript use. */
export function pulumiEnumsFile(enumerations: readonly Enumeration[]): string {
  const constants = enumerations.map(
    ({ name, description, members }) => `/** ${description} */\nexport const ${name} = ${layout(members)} as const;\n`,
  );
  return `// ${HEADER}\n${constants.join("\n")}`;
}
