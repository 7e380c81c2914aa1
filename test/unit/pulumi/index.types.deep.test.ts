/** What the compiler says of ordinary mistakes in a program, and of what is right. */
import ts from "typescript";
import { expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url).pathname;
const FILE = `${ROOT}test/unit/pulumi/program.ts`;

const EVENTS = `projectId: 2, name: "Events", interval: "hour"`;
const S3 = `bucket_name: "b", region: "eu", prefix: "e/"`;
const INSIGHT = `projectId: 2, name: "Signups"`;

/** Statements, each in a line of its own. */
const MISTAKES = {
  "a level": `new Membership("a", { organizationId, email: "ada@acme.com", level: "boss" });`,
  "the number of a level": `new Member("a", { organizationId, email: "ada@acme.com", level: 3 });`,
  "an interval": `new BatchExport("a", { ${EVENTS.replace("hour", "dayly")}, destination: { type: "NoOp", config: {} } });`,
  "a type of a destination": `new BatchExport("a", { ${EVENTS}, destination: { type: "S33", config: { ${S3} } } });`,
  "a model": `new BatchExport("a", { ${EVENTS}, model: "event", destination: { type: "NoOp", config: {} } });`,
  "a key of a config": `new BatchExport("a", { ${EVENTS}, destination: { type: "S3", config: { ${S3}, bucketName: "b" } } });`,
  "a key of another type's config": `new BatchExport("a", { ${EVENTS}, destination: { type: "S3", config: { ${S3}, database: "d" } } });`,
  "a missing key of a config": `new BatchExport("a", { ${EVENTS}, destination: { type: "S3", config: { region: "eu" } } });`,
  "a property of another kind": `new Domain("a", { organizationId, domain: "acme.com", email: "ada@acme.com" });`,
  "a place of another kind": `new Domain("a", { organizationId, domain: "acme.com", projectId: 2 });`,
  "a place of another kind in a look-up": `Domain.get("a", "id", { projectId: 2 });`,
  "a look-up by two things": `void getInsight({ projectId: 2, name: "Signups", id: "1" });`,
  "a look-up without its place": `void getDomainOutput({ domain: "acme.com" });`,
  "an output of another kind": `acme.email;`,
  "a place of another kind as an output": `acme.projectId;`,
  "a name as the interface spells it": `new Insight("a", { ${INSIGHT}, _create_in_folder: "Unfiled" });`,
} as const;

const RIGHT = [
  `new Membership("a", { organizationId, email: "ada@acme.com", level: "admin" });`,
  `new Membership("a", { organizationId, email: "ada@acme.com", level: 8 });`,
  `new BatchExport("a", { ${EVENTS}, destination: { type: "S3", config: { ${S3}, compression: "zstd" } } });`,
  `new BatchExport("a", { ${EVENTS}, destination: { type: "S3", config: output({ ${S3} }) } });`,
  `new BatchExport("a", { ${EVENTS.replace("hour", "every 5 minutes")}, model: "persons", destination: { type: "NoOp", config: {} } });`,
  // What a newer service knows.
  `new BatchExport("a", { ${EVENTS}, destination: { type: "Iceberg" as Other, config: { table: "t" } } });`,
  `new BatchExport("a", { projectId: 2, name: "E", interval: "month" as Other, model: "groups" as Other, destination: { type: "NoOp", config: {} } });`,
  `new Insight("a", { ${INSIGHT}, query: { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "signup" }] } } });`,
  `new Insight("a", { ${INSIGHT}, query: { kind: "NewQuery", anything: [output(1)] }, createInFolder: "Unfiled" });`,
  `new Insight("a", { ${INSIGHT}, query: {} as Readonly<Record<string, unknown>> });`,
  `new Insight("a", { ${INSIGHT}, query: trends satisfies TrendsQuery });`,
  `acme.organizationId;`,
  `getDomainOutput({ organizationId, domain: "acme.com" }).isVerified;`,
  `getInsightOutput({ projectId: output(2), id: "1" }).shortId;`,
  `void getInsights({ projectId: 2, tags: ["growth"] }).then(({ insights }) => insights[0]?.tags);`,
  `Domain.get("a", "id", { organizationId });`,
  `BatchExport.get("a", "id", { projectId: 2 });`,
];

/** The numbers of the lines, from 0, in which the compiler finds a mistake. */
function wrongLines(module: string, lines: readonly string[]): readonly number[] {
  const head = [
    `import { output } from "@pulumi/pulumi";`,
    `import { BatchExport, Domain, Insight, Member, Membership, type Other, type TrendsQuery } from "${module}";`,
    `import { getDomainOutput, getInsight, getInsightOutput, getInsights } from "${module}";`,
    `declare const organizationId: string; declare const acme: Domain; declare const trends: TrendsQuery;`,
  ];
  const options =
    ts.getParsedCommandLineOfConfigFile(
      `${ROOT}tsconfig.json`,
      { types: [] },
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
    )?.options ?? {};
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    getSourceFile: (name, language, ...more) =>
      name === FILE
        ? ts.createSourceFile(name, [...head, ...lines].join("\n"), language)
        : disk.getSourceFile(name, language, ...more),
  };
  const program = ts.createProgram([FILE], options, host);
  const found = ts.getPreEmitDiagnostics(program, program.getSourceFile(FILE)).map(({ file, start = 0 }) => {
    const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) - head.length;
    return line;
  });
  return [...new Set(found)];
}

it.each(["driftline/pulumi", "driftline/packaged"])(
  "the compiler finds ordinary mistakes, and no others: %s",
  (module) => {
    const mistakes = Object.values<string>(MISTAKES);
    const wrong = wrongLines(module, [...mistakes, ...RIGHT]);
    const names = Object.keys(MISTAKES);
    expect(names.filter((_, line) => !wrong.includes(line))).toEqual([]);
    expect(wrong.flatMap((line) => RIGHT[line - mistakes.length] ?? (line < 0 ? "an import" : []))).toEqual([]);
  },
);
