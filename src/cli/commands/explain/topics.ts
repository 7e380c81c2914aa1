/** What a configuration has beside kinds, and people look up as one: `lifecycle` and `project`. */
import { type FieldSchema, lifecycleSchema } from "../../../generated/schemas.ts";
import { allKinds } from "../../../kinds/registry.ts";
import type { FieldExplanation, TopicExplanation } from "../../../model/explain.ts";
import { joinWords } from "../../../model/plural.ts";
import { PROJECT_DESCRIPTION, PROJECT_KEYS } from "../../../model/project.ts";
import { fieldOf, fieldsOf } from "./fields.ts";

/** What is explained under a name that is no kind. Undefined for all other names. */
export function topicOf(name: string): TopicExplanation | undefined {
  const [first = "", ...rest] = name.split(".");
  if (first === "project" || first === "projects") return rest.length === 0 ? project() : undefined;
  if (first !== "lifecycle") return undefined;
  const fields = lifecycleFields("").filter((field) => field.name === rest.join(".") || rest.length === 0);
  const { title = "", description = "" } = lifecycleSchema;
  return fields.length === 0 ? undefined : { name, title, description: `${description} ${PLACE}`, fields };
}

const PLACE = "Every resource of every kind can have it: it stands beside the fields of the resource.";

/** The keys of `lifecycle`, and before them `lifecycle` itself if there is a prefix. */
export function lifecycleFields(prefix: "" | "lifecycle."): readonly FieldExplanation[] {
  const keys = fieldsOf(lifecycleSchema, prefix, undefined);
  return prefix === "" ? keys : [fieldOf(lifecycleSchema, { name: "lifecycle", required: false }), ...keys];
}

function project(): TopicExplanation {
  const held = allKinds.filter(({ scopes }) => scopes.includes("project")).map(({ collection }) => collection);
  const key = (name: keyof typeof PROJECT_KEYS, type: NonNullable<FieldSchema["type"]>): FieldExplanation =>
    fieldOf({ type, description: PROJECT_KEYS[name] }, { name, required: false });
  const create = "A project that is missing has to be created on the service.";
  const holds = `It stands under projects of an organization, and holds ${joinWords(held, "and")}.`;
  return {
    name: "project",
    title: "Project",
    description: `${PROJECT_DESCRIPTION} ${create} ${holds}`,
    fields: [key("id", ["integer", "string"]), key("name", ["string"])],
  };
}
