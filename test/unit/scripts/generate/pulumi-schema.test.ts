import { describe, expect, it } from "vitest";
import { forPulumi } from "../../../../scripts/generate/pulumi-text.ts";
import { pulumiSchema } from "../../../../scripts/generate/pulumi-schema.ts";
import { readSource } from "../../../../scripts/generate/source.ts";
import { pulumiProperties } from "../../../../src/generated/pulumi.ts";
import type { Kind } from "../../../../src/kinds/kind.ts";
import { scopesOfKind, kinds } from "../../../../src/kinds/registry.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../src/model/json/json.ts";
import { parseImportId } from "../../../../src/pulumi/plugin/import-id.ts";
import { ACME } from "../../../support/acme.ts";
import { blocksOf } from "../../../support/pulumi-examples.ts";

const source = forPulumi(await readSource());
const schema = pulumiSchema(source, { version: "1.2.3" }) as JsonObject;
const resources = Object.entries(schema["resources"] as Readonly<Record<string, JsonObject>>);

/** All texts for people in a part of the schema, with their places, without code. */
function textsIn(value: Json, path = ""): readonly (readonly [string, string])[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => textsIn(item, `${path}[${String(index)}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    (key === "description" || key === "deprecationMessage") && typeof item === "string"
      ? [[path, item.replaceAll(/```.*?```|`[^`]*`/gs, "")] as const]
      : textsIn(item, path === "" ? key : `${path}.${key}`),
  );
}

describe("the schema for Pulumi", () => {
  it("speaks of no sources, no lifecycle and no plan of driftline, and names properties as Pulumi does", () => {
    const internal = /Interface|Server facts|Current service|lifecycle|\bthe plan says|[a-z0-9]_[a-z0-9]/;
    expect(textsIn(schema).filter(([, text]) => internal.test(text))).toEqual([]);
  });

  it("describes every property and every resource", () => {
    const bare = textsIn(schema).filter(([, text]) => text.trim() === "");
    expect(bare).toEqual([]);
    for (const [token, { description, inputProperties, properties }] of resources) {
      expect(description, token).toMatch(/^[A-Z]/);
      for (const property of Object.values({ ...(inputProperties as object), ...(properties as object) }))
        expect(property, token).toMatchObject({ description: expect.stringMatching(/^\S/) as string });
    }
  });

  it.each(resources)(
    "has an example of %s in three languages, with every input that is required",
    (token, resource) => {
      const examples = blocksOf(resource["description"] as string);
      expect(Object.keys(examples)).toEqual(["typescript", "yaml", "python", "sh"]);
      const inputs = resource["requiredInputs"] as readonly string[];
      for (const input of inputs) expect(examples["yaml"], token).toMatch(new RegExp(`^ +${input}:`, "m"));
    },
  );

  it.each(resources)("shows ids of %s that an import takes", async (token, { description }) => {
    const kind = Object.values(kinds).find(({ name }) => token === `driftline:index:${pulumiProperties[name].title}`);
    const section = String(description).split("## Import")[1] ?? "";
    const commands = [...section.matchAll(/^pulumi import (\S+) \w+ (\S+)$/gm)];
    expect(commands.length).toBe(kind && scopesOfKind(kind.name).length);
    for (const [, type, form = ""] of commands) {
      const id = form.replace("PROJECT_ID", "2").replace("ORGANIZATION_ID", ACME).replace("E-MAIL", "ada@acme.com");
      expect(type).toBe(token);
      const nobody = (): Promise<never> => Promise.reject(new Error("the place is not in the id"));
      await expect(parseImportId(kind as Kind, id, nobody)).resolves.toMatchObject({ id: id.split("/").at(-1) });
    }
  });

  it("names places of releases only if package.json has a repository", () => {
    const places = ["homepage", "repository", "logoUrl", "pluginDownloadURL"];
    expect(places.filter((key) => Object.hasOwn(schema, key))).toEqual([]);
    const repository = { url: "git+https://github.com/acme/driftline.git" };
    expect(pulumiSchema(source, { version: "1.2.3", repository })).toMatchObject({
      publisher: "driftline",
      homepage: "https://github.com/acme/driftline",
      repository: "https://github.com/acme/driftline",
      logoUrl: "https://raw.githubusercontent.com/acme/driftline/v1.2.3/docs/logo.svg",
      pluginDownloadURL: "github://api.github.com/acme/driftline",
      keywords: expect.arrayContaining(["category/infrastructure"]) as string[],
    });
  });
});
