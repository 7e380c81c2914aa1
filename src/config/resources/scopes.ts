/**
 * Reads what is declared of the service and of projects, and finds the documents that people think of when they look for a
 * scope.
 *
 * Premise: several teams may declare something of one organization or project, each in a file of its own. What belongs to the
 * scope itself, such as its id, must not be written into the file of a team.
 */
import { collectionsOf } from "../../kinds/registry.ts";
import type { Position } from "../../model/diagnostic.ts";
import type { ProjectScope, DesiredGraph } from "../../model/resource.ts";
import { otherHostHint, urlHint } from "../../model/known-services.ts";
import { blankHint } from "../hints.ts";
import { isEmail } from "../../model/email.ts";
import { rejectSecrets, type ProblemDetail, type Problems, unexpected } from "../problems.ts";
import { type Member, type Node, positionOf, mapMembers, scalarText, shownNode, textOf } from "../tree/tree.ts";
import type { ScopeDeclaration } from "./declarations.ts";

/** Reads how to find a project: by its id (or its key, if that is a number), else by its name (or its key). */
export function readProject(project: ScopeDeclaration, problems: Problems): ProjectScope {
  const organization = project.address.slice(0, project.address.indexOf("/"));
  const common = { address: project.address, organization, position: positionOf(declaringKey(project)) };
  const key = /^\d+$/u.test(project.name) ? project.name : undefined;
  const id = readProjectKey(project.own.get("id"), problems) ?? key;
  const name = readProjectKey(project.own.get("name"), problems);
  if (id === undefined) return { ...common, name: name ?? project.name };
  return name === undefined ? { ...common, id } : { ...common, id, name };
}

function readProjectKey(member: Member | undefined, problems: Problems): string | undefined {
  if (member === undefined || rejectSecrets(member.value, `${member.key} of a project`, problems)) return undefined;
  return scalarText(member.value);
}

/** Whether a mapping has the id of a project, which is a number. Organizations have UUIDs. */
export function hasProjectId(node: Node): boolean {
  const id = mapMembers(node)?.get("id")?.value;
  return id !== undefined && /^\d+$/u.test(scalarText(id) ?? "");
}

/** Whether a mapping can only be a project. */
export function looksLikeProject(node: Node): boolean {
  const members = mapMembers(node);
  return hasProjectId(node) || collectionsOf("project").some((collection) => members?.has(collection));
}

/** Reports a project that stands among the organizations, or among the fields of one. */
export function misplacedProject(key: string): ProblemDetail {
  const message = `${key} looks like a project, and does not belong here`;
  return { code: "misplaced_project", message, hint: "Put it under projects of its organization." };
}

/** Reads the settings of the service. It reports and omits invalid ones. */
export function readService(fields: ReadonlyMap<string, Member>, problems: Problems): DesiredGraph["service"] {
  const url = readSetting(fields.get("url"), URL_SETTING, problems);
  const whose = fields.get("self");
  const self = readSetting(whose, SELF_SETTING, problems);
  const node = fields.get("url")?.value;
  const [, name] =
    (node?.type === "scalar" && node.variable === undefined && /^\$\{env:([^}]*)\}$/u.exec(node.expression ?? "")) ||
    [];
  const isGiven = name !== undefined && !OF_PIPELINE.test(name);
  const from = isGiven ? { urlFrom: "environment" as const } : {};
  return {
    ...(url === undefined ? {} : { url, ...from }),
    ...(whose === undefined || self === undefined ? {} : { self, position: positionOf(whose) }),
  };
}

/**
 * The variables that a pipeline fills itself. Many hold what the author of a pull request writes, such as `CI_COMMIT_TITLE`, and which
 * ones do differs between pipelines.
 */
const OF_PIPELINE =
  /^(?:APPVEYOR|BAMBOO|BITBUCKET|BUILD|BUILDKITE|CHANGE|CI|CIRCLE|CODEBUILD|DRONE|FORGEJO|GITEA|GITHUB|GITLAB|GIT|NETLIFY|SEMAPHORE|SYSTEM|TEAMCITY|TRAVIS|VERCEL)_/iu;

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text) && otherHostHint(text) === undefined;
}

/** What a setting of the service has to be. */
interface Setting {
  readonly isValid: (text: string) => boolean;
  readonly expected: string;
  readonly hintFor: (text: string) => string;
}

const URL_SETTING: Setting = {
  isValid: isUrl,
  expected: "the http or https URL of a service",
  hintFor: (text) => otherHostHint(text) ?? urlHint(text) ?? "Use a value such as https://eu.posthog.com.",
};

const SELF_SETTING: Setting = {
  isValid: isEmail,
  expected: "an e-mail address",
  hintFor: (text) => blankHint(text) ?? "Use a value such as robot@acme.com.",
};

function readSetting(member: Member | undefined, { isValid }: Setting, problems: Problems): string | undefined {
  const node = member?.value;
  if (member === undefined || node === undefined || rejectSecrets(node, `service.${member.key}`, problems))
    return undefined;
  const text = textOf(node);
  if (text === undefined || isValid(text)) return text;
  return problems.error(node, settingProblem(member.key, node));
}

/** What is wrong with a setting of the service. */
export function settingProblem(key: string, node: Node): ProblemDetail {
  const { expected, hintFor } = key === "url" ? URL_SETTING : SELF_SETTING;
  const detail = unexpected(node, expected, hintFor(textOf(shownNode(node)) ?? ""));
  return textOf(node) === undefined ? detail : { ...detail, code: "invalid_format" };
}

/**
 * The key that declares most of the fields of a scope. Of several, one in YAML, which can be edited, and there the one in the outermost
 * folder: the files of a large collection repeat the id of their project.
 */
export function declaringKey({ keys, own }: Pick<ScopeDeclaration, "keys" | "own">): Member {
  const rank = (key: Member): number => {
    const fields = [...(mapMembers(key.value)?.keys() ?? [])].filter((field) => own.has(field)).length;
    return 2 * fields + (isYaml(key) ? 1 : 0);
  };
  const depth = ({ source }: Member): number => source.file.split("/").length;
  const isBetter = (key: Member, best: Member): boolean =>
    rank(key) === rank(best) ? depth(key) < depth(best) : rank(key) > rank(best);
  return keys.reduce((best, key) => (isBetter(key, best) ? key : best));
}

function isYaml({ mark }: Member): boolean {
  return typeof mark === "number";
}

/**
 * The keys of scopes that declare resources of a kind, by the address of the collection, such as `acme/domains`. Programs
 * do not count, because nothing can be written into them.
 */
export function collectionPlaces(scopes: readonly ScopeDeclaration[]): ReadonlyMap<string, readonly Position[]> {
  const places = scopes.flatMap(({ address, type, keys }) =>
    collectionsOf(type).map((collection) => {
      const having = keys.filter((key) => isYaml(key) && mapMembers(key.value)?.has(collection));
      return [`${address}/${collection}`, having.map(positionOf)] as const;
    }),
  );
  return new Map(places);
}
