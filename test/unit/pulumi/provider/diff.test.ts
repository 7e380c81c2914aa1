import { describe, expect, it } from "vitest";
import { kinds } from "../../../../src/kinds/registry.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { UNKNOWN_SECRET } from "../../../../src/model/secret-values.ts";
import type { KindName } from "../../../../src/model/kind-name.ts";
import { diff } from "../../../../src/pulumi/provider/diff.ts";
import { projectLive } from "../../../../src/pulumi/provider/read.ts";
import { UNKNOWN } from "../../../../src/pulumi/properties/check.ts";
import { sentencesOf, thrownBy } from "../../../support/sentences.ts";

const organizationId = "0190aa11-0000-4000-8000-00000000000a";
const SAME = { changes: false };
const S3 = (config: JsonObject): JsonObject => ({
  destination: { type: "S3", config: { bucket_name: "b", ...config } },
});

const rows: readonly (readonly [string, KindName, JsonObject, JsonObject, object])[] = [
  ["nothing", "domain", { organizationId, domain: "acme.com" }, { organizationId, domain: "acme.com" }, SAME],
  [
    "computed values",
    "domain",
    { organizationId, domain: "acme.com", isVerified: true },
    { organizationId, domain: "acme.com" },
    SAME,
  ],
  ["the order of a set", "insight", { projectId: 2, tags: ["a", "b"] }, { projectId: 2, tags: ["b", "A"] }, SAME],
  ["blanks around a name", "insight", { projectId: 2, name: " Signups" }, { projectId: 2, name: "Signups " }, SAME],
  [
    "a time in another zone",
    "batch_export",
    { startAt: "2024-01-01T01:00:00+01:00" },
    { startAt: "2024-01-01T00:00:00Z" },
    SAME,
  ],
  [
    "an export that the service has converted",
    "batch_export",
    { destination: { type: "AwsS3", config: { bucket_name: "b" }, integration: 7 } },
    S3({ aws_secret_access_key: "b" }),
    SAME,
  ],
  ["a number as text", "batch_export", S3({ port: "7" }), S3({ port: 7 }), SAME],
  ["a scope in upper case", "domain", { organizationId: organizationId.toUpperCase() }, { organizationId }, SAME],
  ["a project's number as text", "insight", { projectId: 2 }, { projectId: "2" }, SAME],
  ["a field", "domain", { organizationId, samlEntityId: "a" }, { organizationId, samlEntityId: "b" }, {}],
  ["a field to null", "insight", { projectId: 2, description: "a" }, { projectId: 2, description: null }, {}],
  ["a set to empty", "insight", { projectId: 2, tags: ["a"] }, { projectId: 2, tags: [] }, {}],
  ["a field that is no longer declared", "insight", { projectId: 2, description: "a" }, { projectId: 2 }, {}],
  ["a secret", "batch_export", S3({ aws_secret_access_key: "a" }), S3({ aws_secret_access_key: "b" }), {}],
  ["a new secret", "batch_export", S3({}), S3({ aws_secret_access_key: "b" }), {}],
  [
    "an unchanged secret",
    "batch_export",
    S3({ aws_secret_access_key: "***a" }),
    S3({ aws_secret_access_key: "***a" }),
    SAME,
  ],
  [
    "a missing secret",
    "batch_export",
    S3({ aws_secret_access_key: UNKNOWN_SECRET }),
    S3({ aws_secret_access_key: UNKNOWN_SECRET }),
    SAME,
  ],
  [
    "a secret that was missing",
    "batch_export",
    S3({ aws_secret_access_key: UNKNOWN_SECRET }),
    S3({ aws_secret_access_key: "a" }),
    {},
  ],
  [
    "a secret that is missing now",
    "batch_export",
    S3({ aws_secret_access_key: "a" }),
    S3({ aws_secret_access_key: UNKNOWN_SECRET }),
    SAME,
  ],
  [
    "another field beside a missing secret",
    "batch_export",
    { name: "a", ...S3({ aws_secret_access_key: UNKNOWN_SECRET }) },
    { name: "b", ...S3({ aws_secret_access_key: UNKNOWN_SECRET }) },
    {},
  ],
  [
    "a value that is not known yet",
    "domain",
    { organizationId, samlEntityId: "a" },
    { organizationId, samlEntityId: UNKNOWN },
    {},
  ],
  ["adopt, which only counts on create", "domain", { organizationId, adopt: true }, { organizationId }, SAME],
  ["the confirmation of a deletion", "organization", { name: "A" }, { name: "A", confirmDelete: "A" }, {}],
  ["an insight that was deleted", "insight", { projectId: 2, deleted: true }, { projectId: 2 }, {}],
  [
    "another name of a domain, which a state does not show as fixed",
    "domain",
    { organizationId, domain: "a.com" },
    { organizationId, domain: "b.com" },
    {},
  ],
  [
    "the organization",
    "domain",
    { organizationId },
    { organizationId: UNKNOWN },
    { replaces: ["organizationId"], deleteBeforeReplace: true },
  ],
  ["the person", "membership", { organizationId, email: "a@b.c" }, { organizationId, email: "A@b.c " }, SAME],
  [
    "another person",
    "membership",
    { organizationId, email: "a@b.c" },
    { organizationId, email: "x@b.c" },
    { replaces: ["email"], deleteBeforeReplace: true },
  ],
  [
    "an invite",
    "invite",
    { organizationId, message: "a" },
    { organizationId, message: "b" },
    { replaces: ["message"], deleteBeforeReplace: true },
  ],
  [
    "the type of a destination",
    "batch_export",
    S3({}),
    { destination: { type: "NoOp", config: {} }, hogqlQuery: null },
    { replaces: ["destination"], deleteBeforeReplace: true },
  ],
];

describe("diff", () => {
  it.each(rows)("of %s", (_name, kind, olds, news, expected) => {
    const { changed, ...result } = diff(kinds[kind], olds, news);
    expect(result).toEqual(expected);
    // An engine that shows the details has one for every difference.
    expect(changed === undefined).toBe(result.changes === false);
  });

  it("says what differs: added, updated, deleted, and what identifies the object", () => {
    const olds = { projectId: 2, name: "a", tags: ["x"], query: { kind: "K", a: 1, gone: 1 }, deleted: true };
    const news = { projectId: 3, name: "b", description: "d", query: { kind: "K", a: [1], new: 1 } };
    const { changed = [] } = diff(kinds.insight, olds, news);
    expect(changed.map(({ keys, action }) => `${action} ${keys.join(".")}`)).toEqual([
      "update projectId",
      "update name",
      "add description",
      "update query.a",
      "add query.new",
      "delete query.gone",
      "delete tags",
      "delete deleted",
    ]);
  });
});

describe("a missing secret", () => {
  const missing = S3({ region: "eu", aws_secret_access_key: UNKNOWN_SECRET });

  it.each([
    ["when a field beside it would be sent", S3({ region: "us", aws_secret_access_key: "a" })],
    [
      "when another secret of the block is set",
      S3({ region: "eu", aws_access_key_id: UNKNOWN_SECRET, aws_secret_access_key: UNKNOWN_SECRET }),
    ],
    ["when the object would be replaced", { ...missing, organizationId }],
  ])("stops the preview %s", (_name, olds) => {
    const news = S3({ region: "eu", aws_access_key_id: "known", aws_secret_access_key: UNKNOWN_SECRET });
    const error = thrownBy(() => diff(kinds.batch_export, olds, news));
    const message = expect.stringMatching(/destination\.config\.aws_secret_access_key.*pulumi config set/) as string;
    expect(error).toMatchObject({ message });
    expect(sentencesOf(error)).toMatchSnapshot();
  });

  it("is not drift, whichever value the service shows for it", () => {
    for (const shown of ["AKIA", "********", null]) {
      const live = {
        destination: { type: "S3", config: { bucket_name: "b", region: "eu", aws_secret_access_key: shown } },
      };
      expect(projectLive(kinds.batch_export, missing, live)).toEqual(missing);
    }
  });
});

describe("the result of a refresh", () => {
  it("is the declared value if the service only spells it differently", () => {
    const declared = {
      name: "Signups ",
      tags: ["Growth", "a"],
      query: { kind: "TrendsQuery", series: [{ event: "a" }] },
    };
    const live = {
      name: "Signups",
      tags: ["a", "growth"],
      query: { kind: "TrendsQuery", version: 2, series: [{ event: "a", math: null }] },
    };
    expect(projectLive(kinds.insight, declared, live)).toEqual(declared);
  });

  it("is the live value at each path that differs, and nothing else", () => {
    const declared = { query: { kind: "TrendsQuery", series: [{ event: "a" }, { event: "b" }] }, description: "x" };
    const live = {
      query: { kind: "TrendsQuery", extra: 1, series: [{ event: "a", math: "dau" }, { event: "c" }] },
      description: null,
    };
    expect(projectLive(kinds.insight, declared, live)).toEqual({
      query: { kind: "TrendsQuery", extra: 1, series: [{ event: "a", math: "dau" }, { event: "c" }] },
      description: null,
    });
  });

  it("keeps fields that the service does not return", () => {
    const declared = { destination: { type: "S3", config: { region: "eu", aws_secret_access_key: "hush" } } };
    expect(
      projectLive(kinds.batch_export, declared, { destination: { type: "S3", config: { region: "us" } } }),
    ).toEqual({ destination: { type: "S3", config: { region: "us", aws_secret_access_key: "hush" } } });
  });
});
it("names the values that are never shown, and that a replace would lose", () => {
  const noop = { destination: { type: "NoOp", config: {} } };
  expect(diff(kinds.batch_export, S3({}), noop).lost).toEqual(["hogqlQuery"]);
});
