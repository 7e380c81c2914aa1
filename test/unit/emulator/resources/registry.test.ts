import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, test } from "vitest";
import { RESOURCES } from "../../../../src/emulator/resources/registry.ts";
import type {
  Dump,
  EmulatedKind,
  EventInput,
  Seed,
  SeedMember,
  SeedOrganization,
  SeedProject,
} from "../../../../src/emulator/index.ts";
import type { OrganizationFields } from "../../../../src/emulator/resources/organization/resource.ts";
import type { ResourceDefinition } from "../../../../src/emulator/resource.ts";

describe("the registry", () => {
  const SRC = new URL("../../../../src/emulator", import.meta.url).pathname;

  const CONTROL_NAMES = ["events", "invites", "organization", "project", "projects"];

  /** The resource names that files outside `resources/` may contain, with the reasons. */
  const EXCEPTIONS: Readonly<Record<string, readonly [why: string, ...names: readonly string[]]>> = {
    "resource.ts": ["the two scopes of objects", "organization", "project"],
    "http/app.ts": ["the query of an address", "query"],
    "http/call.ts": ["the query of an address", "query"],
    "http/log.ts": ["the query of an address", "query"],
    "http/route.ts": ["the two prefixes of paths", "organizations", "projects"],
    "seed/seed.ts": ["the public types of the two scopes", "organization", "project"],
    "seed/load.ts": ["a seed without organizations is an empty emulator", "organizations"],
    "options.ts": ["the organizations of a key", "organizations"],
    "service.ts": ["the organizations of a key", "organizations"],
    "control/http.ts": ["scopes, and calls beside those for kinds", ...CONTROL_NAMES],
    "deployed/rate-limit.ts": ["the public name of a budget", "insights"],
    "calculations/request.ts": ["parameters of trends and funnels", "event", "events"],
    "calculations/properties.ts": ["a type of property", "event"],
    "calculations/query-body.ts": ["parameters of trends and funnels", "events"],
    "calculations/query-trend.ts": ["fields of an answer", "events", "insight"],
    "calculations/funnel.ts": ["a link to a path of a project", "projects"],
  };

  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

  /** The names of the resources, of their lists in seeds, and of the first segment of their paths below the parent. */
  const names = RESOURCES.flatMap((resource: ResourceDefinition) => [
    resource.name,
    ...(resource.seed === undefined ? [] : [resource.seed.list]),
    ...(resource.routes ?? []).map(({ path }) => path.replace(/^\/api\/(?:\w+\/:\w+_id\/)?/, "").split("/")[0] ?? ""),
  ]);
  const pattern = `(${[...new Set(names)].join("|")})`;
  /** A text that is a name, or a path with a name as one of its segments. */
  const TEXT = new RegExp(`(?:["'\`]|["'\`][^"'\`\\s]*/)${pattern}(?=["'\`/])`, "g");
  /** A name that is the key of an object or the field of a type. */
  const KEY = new RegExp(`(?:^\\s*|{ )(?:readonly )?${pattern}\\??:`, "g");

  /** Lists the resources that a file names, except in imports and comments. */
  function namedIn(file: string): readonly string[] {
    const lines = readFileSync(join(SRC, file), "utf8").split("\n");
    const code = lines.filter((line) => !/\bfrom "/.test(line) && !/^\s*(\/\*)?\*/.test(line));
    const found = code.flatMap((line) => [TEXT, KEY].flatMap((form) => [...line.matchAll(form)]));
    return [...new Set(found.map(([, name = ""]) => name))].toSorted();
  }

  test("covers every name that paths, seeds and the control interface use", () => {
    expect([...new Set(names)].toSorted()).toEqual([
      "alert",
      "alerts",
      "batch_export",
      "batch_exports",
      "domain",
      "domains",
      "event",
      "event_series",
      "events",
      "identity_provider_config",
      "identity_provider_configs",
      "insight",
      "insights",
      "integration",
      "integrations",
      "invite",
      "invites",
      "media",
      "member",
      "members",
      "organization",
      "organizations",
      "pipeline_destination",
      "pipeline_destinations",
      "pipeline_frontend_app",
      "pipeline_frontend_apps",
      "pipeline_import_app",
      "pipeline_import_apps",
      "project",
      "projects",
      "query",
      "query_result",
      "query_results",
      "remove_blocked_members_and_enforce_verified_domains",
    ]);
  });

  test.each(files.filter((file) => !file.startsWith("resources/")))(
    "%s names only the resources that it may name",
    (file) => {
      const [, ...allowed] = EXCEPTIONS[file] ?? [""];
      expect(namedIn(file)).toEqual(allowed);
    },
  );

  test("has no exception for a missing file", () => {
    expect(Object.keys(EXCEPTIONS).filter((file) => !files.includes(file))).toEqual([]);
  });

  const importedBy = (file: string): readonly string[] =>
    [...readFileSync(join(SRC, file), "utf8").matchAll(/^import \{ ([^}]+) \}/gm)].flatMap(
      (found) => found[1]?.split(", ") ?? [],
    );

  test("imports every file that defines a resource", () => {
    const registry = readFileSync(join(SRC, "resources/registry.ts"), "utf8");
    const defining = files.filter(
      (file) => file.startsWith("resources/") && readFileSync(join(SRC, file), "utf8").includes("defineResource("),
    );
    const left = defining.filter((file) => !registry.includes(`from "./${file.replace("resources/", "")}"`));
    expect(left).toEqual([]);
  });

  test.each(files.filter((file) => !file.startsWith("resources/")))("%s imports no definition", (file) => {
    const definitions = new Set(importedBy("resources/registry.ts"));
    expect(importedBy(file).filter((name) => definitions.has(name))).toEqual([]);
  });

  test("gives the kinds and the seeds their types", () => {
    expectTypeOf<EmulatedKind>().toEqualTypeOf<
      | "organization"
      | "domain"
      | "identity_provider_config"
      | "media"
      | "invite"
      | "member"
      | "integration"
      | "batch_export"
      | "pipeline_destination"
      | "pipeline_frontend_app"
      | "pipeline_import_app"
      | "insight"
      | "alert"
      | "event_series"
      | "query_result"
    >();
    expectTypeOf<keyof Dump>().toEqualTypeOf<EmulatedKind | "project" | "event">();
    expectTypeOf<keyof Seed>().toEqualTypeOf<"organizations">();
    expectTypeOf<NonNullable<SeedOrganization["members"]>[number]>().toExtend<SeedMember>();
    expectTypeOf<NonNullable<SeedOrganization["projects"]>[number]>().toExtend<SeedProject>();
    expectTypeOf<NonNullable<SeedProject["events"]>[number]>().toExtend<EventInput>();
    expectTypeOf<Exclude<keyof SeedOrganization, keyof OrganizationFields>>().toEqualTypeOf<
      | "projects"
      | "members"
      | "domains"
      | "identity_provider_configs"
      | "invites"
      | "batch_exports"
      | "pipeline_destinations"
      | "pipeline_frontend_apps"
      | "pipeline_import_apps"
    >();
    expectTypeOf<keyof SeedProject>().toEqualTypeOf<
      | "id"
      | "name"
      | "dashboards"
      | "actions"
      | "test_account_filters"
      | "integrations"
      | "batch_exports"
      | "insights"
      | "alerts"
      | "events"
      | "event_series"
      | "query_results"
    >();
    // @ts-expect-error: a member needs an address
    expectTypeOf<{ organizations: [{ name: "Acme"; members: [{ level: 1 }] }] }>().toExtend<Seed>();
  });
});
