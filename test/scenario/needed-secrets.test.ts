/** Apply needs the secrets that its writes send, and no others. What is missing stops it before the first write. */
import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { workspace, type RunOptions, type Workspace } from "../support/workspace.ts";

const ALL = { env: { FIRST: "first-secret", SECOND: "second-secret" } };
const AT = "acme/projects/web/batch_exports";

const anExport = (name: string, secret: string, region = "us") => ({
  name,
  interval: "hour",
  destination: {
    type: "S3",
    config: { bucket_name: "b", region, prefix: "p/", aws_secret_access_key: `\${secret:${secret}}` },
  },
});

const config = (exports: object, domains: object = {}) => ({
  driftline: 1,
  organizations: { acme: { name: "Acme Inc", domains, projects: { web: { id: 2, batch_exports: exports } } } },
});

const DOMAINS = { corp: { domain: "acme.com" } };
const BOTH = { one: anExport("One", "FIRST"), two: anExport("Two", "SECOND") };

/** A workspace in which both exports exist. */
async function applied(): Promise<Workspace> {
  const space = await workspace();
  await space.configure(config(BOTH));
  const { code, stderr } = await space.run(["apply", "--yes"], ALL);
  expect(code, stderr).toBe(0);
  space.emulator.clearRequests();
  return space;
}

const writesOf = ({ emulator }: Workspace) => emulator.requests.filter(({ method }) => method !== "GET");

async function applyWith(space: Workspace, options: RunOptions = {}, ...args: readonly string[]) {
  const { code, stdout, stderr } = await space.run(["apply", "--yes", "--format", "json", ...args], options);
  return { code, missing: stderr.includes("missing_secret"), named: /FIRST|SECOND/.exec(stdout + stderr)?.[0] };
}

describeDialects("apply without the secrets of what does not change", () => {
  it.each<[string, object, readonly string[], RunOptions]>([
    ["nothing changes", config(BOTH), [], {}],
    ["a domain is created", config(BOTH, DOMAINS), [], {}],
    ["a field beside the secret changes", config({ ...BOTH, two: { ...BOTH.two, interval: "day" } }), [], {}],
    ["an export is deleted", config({ ...BOTH, two: { ...BOTH.two, lifecycle: { state: "absent" } } }), [], {}],
    ["another secret is rotated", config(BOTH), ["--rotate", `${AT}/one`], { env: { FIRST: "third-secret" } }],
  ])("succeeds if %s", async (_case, changed, args, options) => {
    const space = await applied();
    await space.configure(changed);
    const { code, missing } = await applyWith(space, options, ...args);
    expect([code, missing]).toEqual([0, false]);
  });
});

describeDialects("apply without a secret that it sends", () => {
  it.each<[string, object, readonly string[], RunOptions]>([
    ["a create", config({ ...BOTH, three: anExport("Three", "SECOND") }, DOMAINS), [], { env: { FIRST: "x" } }],
    ["a rotation", config(BOTH, DOMAINS), ["--rotate", `${AT}/two`], { env: { FIRST: "x" } }],
    ["an update of what surrounds it", config({ ...BOTH, two: anExport("Two", "SECOND", "eu") }, DOMAINS), [], {}],
  ])("writes nothing for %s, not even what needs no secret", async (_case, changed, args, options) => {
    const space = await applied();
    await space.configure(changed);
    const result = await applyWith(space, options, ...args);
    expect(result).toEqual({ code: 10, missing: true, named: "SECOND" });
    expect(writesOf(space)).toEqual([]);
  });

  it("is not asked for its consent first", async () => {
    const space = await applied();
    await space.configure(config({ ...BOTH, three: anExport("Three", "SECOND") }));
    let asked = 0;
    const ask = (): Promise<string> => {
      asked += 1;
      return Promise.resolve("yes");
    };
    const { code } = await space.run(["apply"], { runtime: { interactive: true, ask } });
    expect([code, asked]).toEqual([10, 0]);
    expect(writesOf(space)).toEqual([]);
  });
});
