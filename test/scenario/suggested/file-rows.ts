/** Suggestions that write into the files of a configuration. */
import { expect } from "vitest";
import { config, QUERY, seedOf, VERIFIED, web } from "../../support/acme.ts";
import { differing, type Row } from "./plan-rows.ts";
import { suggestion, suggestionsIn, world } from "./world.ts";

export const FILE_ROWS: readonly Row[] = [
  {
    name: "a pinned object that is missing: create it anew",
    of: ['plan/missing-pin.ts: "apply" { recreate: address }'],
    test: async () => {
      const id = "0190aa11-0000-4000-8000-0000000000ff";
      const made = await world(config({ domains: { a: { id, domain: "a.acme.com" } } }), { seed: seedOf() });
      const line = suggestion(await made.run(["plan", ...made.args]), /^driftline apply .*--recreate/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(made.emulator.find("domain")).toHaveLength(1);
    },
  },
  {
    name: "an insight whose id never existed: create it anew instead of restoring it",
    of: ['plan/missing-pin.ts: "apply" { recreate: resource.address }'],
    test: async () => {
      const it = { id: 404, name: "It", query: QUERY };
      const made = await world(web({ insights: { it } }), { seed: seedOf() });
      for (const command of ["plan", "drift"]) {
        await made.configure(web({ insights: { it } }));
        const line = suggestion(await made.run([command, ...made.args]), /^driftline apply .*--recreate/);
        expect(await made.follow(line)).toMatchObject({ code: 0 });
        expect(await made.run(["drift", ...made.args])).toMatchObject({ code: 0 });
        expect(made.emulator.find("insight")).toHaveLength(1);
      }
    },
  },
  {
    name: "an insight that was moved to another project with its id: make another one there",
    of: [],
    test: async () => {
      const projects = [
        { id: 2, name: "Web", insights: [{ id: 7, name: "It", query: QUERY }] },
        { id: 3, name: "App" },
      ];
      const it = { id: 7, name: "It", query: QUERY };
      const dau = { name: "DAU", query: QUERY, lifecycle: { state: "absent" } };
      const declared = { web: { id: "2", insights: { dau } }, app: { id: "3", insights: { it } } };
      const made = await world(config({ projects: declared }), { seed: seedOf({ projects }) });
      const planned = await made.run(["plan", ...made.args]);
      expect(planned.code).toBe(13);
      expect(planned.stdout).toContain("is in acme/projects/web");
      const line = suggestion(planned, /^driftline apply .*--recreate/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      const insights = made.emulator.find("insight");
      expect(insights.map(({ name, deleted }) => [name, deleted])).toEqual([
        ["It", false],
        ["It", false],
      ]);
      expect((await made.run(["drift", ...made.args])).code).toBe(0);
    },
  },
  {
    name: "a member who left: remove the declaration",
    of: ['plan/missing-pin.ts: "drift" { accept: true, only: address }'],
    test: async () => {
      const declared = config({ members: { "eve@acme.com": { level: "admin" } } });
      const made = await world(declared, { seed: seedOf() });
      for (const command of ["plan", "drift"]) {
        await made.configure(declared);
        const line = suggestion(await made.run([command, ...made.args]), /^driftline drift .*--accept/);
        expect(await made.follow(line)).toMatchObject({ code: 0 });
        expect(await made.run(["drift", ...made.args])).toMatchObject({ code: 0 });
      }
    },
  },
  {
    name: "a person with a new e-mail address: write it into the file",
    of: ['kinds/people/moved.ts: "drift" { accept: true, only: declared }'],
    test: async () => {
      const made = await world(config({}), { seed: seedOf({ members: [{ email: "ada@acme.io", level: 8 }] }) });
      const [self] = made.emulator.find("member", ({ level }) => level === 15);
      const { email = "key@acme.com" } = (self?.["user"] ?? {}) as { email?: string };
      const memberships = { "ada@acme.com": { level: "admin" } };
      const members = { [email]: { level: "owner" } };
      const declared = config({ exclusive: ["memberships"], memberships, members });
      await made.configure({ ...declared, service: { self: email } });
      const planned = await made.run(["plan", "--prune", ...made.args]);
      expect(planned.code).toBe(13);
      expect(await made.follow(suggestion(planned, /^driftline drift .*--accept/))).toMatchObject({ code: 0 });
      expect(await made.run(["plan", "--prune", "--detailed-exitcode", ...made.args])).toMatchObject({ code: 0 });
    },
  },
  {
    name: "a batch export that the service has converted: write its new form into the file",
    of: ['plan/converted.ts: "drift" { accept: true, only: address }'],
    test: async () => {
      const settings = { bucket_name: "b", region: "eu", prefix: "e/" };
      const nightly = { name: "Nightly", interval: "day", destination: { type: "S3", config: settings } };
      const made = await world(web({ batch_exports: { nightly } }), { seed: seedOf(), dialect: "current" });
      made.emulator.insert("integration", { project: 2 }, { id: 7, kind: "aws-s3" });
      const destination = { ...nightly.destination, integration: 7 };
      made.emulator.insert("batch_export", { project: 2 }, { ...nightly, destination });
      const line = suggestion(await made.run(["plan", ...made.args]), /^driftline drift .*--accept/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect((await made.run(["plan", ...made.args])).stderr).not.toContain("converted_by_service");
    },
  },
  {
    name: "undeclared keys of a destination: see them in a drift, and write them into the file",
    of: ['engine/plan/undeclared-values.ts: "drift"', 'report/next-steps.ts: "drift" { accept: true }'],
    test: async () => {
      const settings = { bucket_name: "b", region: "eu", prefix: "e/" };
      const exported = (more: object) => ({
        name: "Nightly",
        interval: "day",
        destination: { type: "S3", config: { ...settings, ...more } },
      });
      const declared = web({ batch_exports: { nightly: exported({}) } });
      const made = await world(declared, { seed: seedOf({}, { batch_exports: [exported({ compression: "gzip" })] }) });
      const counted = await made.run(["drift", ...made.args]);
      const [, key = "", value] = /"(undeclared): (\w+)"/u.exec(counted.stdout) ?? [];
      expect(counted.code).toBe(0);
      await made.configure({ [key]: value, ...declared });
      const shown = await made.follow(suggestion(await made.run(["plan", ...made.args]), /^driftline drift/));
      expect(shown).toMatchObject({ code: 2, stdout: expect.stringContaining("gzip") as string });
      expect(await made.follow(suggestion(shown, /^driftline drift .*--accept/))).toMatchObject({ code: 0 });
      expect(await made.run(["drift", ...made.args])).toMatchObject({ code: 0 });
    },
  },
  {
    name: "a drift: write the live values into the files",
    of: ['report/next-steps.ts: "drift" { accept: true }'],
    test: async () => {
      const made = await differing();
      const line = suggestion(await made.run(["drift", ...made.args]), /^driftline drift .*--accept/);
      expect(await made.follow(line)).toMatchObject({ code: 0 });
      expect(await made.run(["drift", ...made.args])).toMatchObject({ code: 0 });
    },
  },
  {
    name: "a drift of what one person changed: put only that back",
    of: ['report/next-steps.ts: "apply" { only }'],
    test: async () => {
      const [a, b] = ["A", "B"].map((name) => ({ name, tags: ["old"], query: QUERY }));
      const made = await world(web({ insights: { a, b } }), { seed: seedOf({}, { insights: [a, b] }) });
      const people = ["ada@acme.com", "bob@acme.com"];
      for (const [index, by] of people.entries())
        made.emulator.edit("insight", Number(made.emulator.find("insight")[index]?.["id"]), {
          tags: ["new"],
          last_modified_by: by,
        });
      const shown = await made.run(["drift", ...made.args, "--by", people[0] ?? ""]);
      expect(await made.follow(suggestion(shown, /^driftline apply .*--only/))).toMatchObject({ code: 0 });
      expect(made.emulator.find("insight").map(({ tags }) => tags)).toEqual([["old"], ["new"]]);
    },
  },
  {
    name: "a declaration without an id of an object that is not there: remove it by its address",
    of: ['engine/accept/refusals.ts: "drift" { accept: true, yes: true, only: change.address }'],
    test: async () => {
      const made = await world(config({ domains: { a: { domain: "a.acme.com" } } }), { seed: seedOf() });
      const accepted = await made.run(["drift", "--accept", "--yes", ...made.args]);
      expect(await made.follow(suggestion(accepted, /^driftline drift .*--accept --yes/))).toMatchObject({ code: 0 });
      expect(await made.run(["drift", ...made.args])).toMatchObject({ code: 0 });
    },
  },
  {
    name: "a pinned object that is missing, in a protected declaration: restore it, or create it again",
    of: ['engine/accept/refusals.ts: "apply" options', 'engine/accept/refusals.ts: "apply"'],
    test: async () => {
      const id = "0190aa11-0000-4000-8000-0000000000ff";
      const lifecycle = { protect: true };
      const projects = { web: { id: "2", insights: { it: { id: 7, name: "It", lifecycle } } } };
      const made = await world(config({ domains: { a: { id, domain: "a.acme.com", lifecycle } }, projects }), {
        seed: seedOf({}, { insights: [{ id: 7, name: "It", deleted: true }] }),
      });
      const accepted = await made.run(["drift", "--accept", "--yes", ...made.args]);
      expect(await made.follow(suggestion(accepted, /^driftline apply .*--recreate/))).toMatchObject({ code: 0 });
      expect(await made.follow(suggestion(accepted, /^driftline apply (?!.*--recreate)/))).toMatchObject({ code: 0 });
      expect(await made.run(["drift", ...made.args])).toMatchObject({ code: 0 });
    },
  },
  {
    name: "an undeclared owner: declare them",
    of: ['report/view.ts: "import" { only: first.address }'],
    test: async () => {
      const seed = seedOf({ invites: [{ target_email: "eve@acme.com", level: 15 }] });
      const made = await world(config({ memberships: { "owner@example.com": { level: "owner" } } }), { seed });
      const drifted = await made.run(["drift", ...made.args]);
      expect(await made.follow(suggestion(drifted, /^driftline import/))).toMatchObject({ code: 0 });
    },
  },
  {
    name: "an undeclared domain that lets people in: declare it",
    of: ['kinds/people/undeclared-entrances.ts: "import" { only: address }'],
    test: async () => {
      const eve = { domain: "eve.example", ...VERIFIED, jit_provisioning_enabled: true };
      const made = await world(config({ domains: { acme: { domain: "acme.com" } } }), {
        seed: seedOf({ domains: [{ domain: "acme.com" }, eve] }),
      });
      const planned = await made.run(["plan", ...made.args]);
      expect(await made.follow(suggestion(planned, /^driftline import/))).toMatchObject({ code: 0 });
      expect(suggestionsIn(await made.run(["plan", ...made.args])).filter((line) => /import/u.test(line))).toEqual([]);
    },
  },
  {
    name: "undeclared objects: declare one, or delete those of exclusive kinds",
    of: [
      'engine/accept/refusals.ts: "import" { only: address }',
      'report/view.ts: "drift" { unmanaged: true }',
      'report/view.ts: "import" { only: first }',
    ],
    test: async () => {
      const live = { domains: [{ domain: "a.acme.com" }, { domain: "b.acme.com" }, { domain: "c.acme.com" }] };
      const made = await world(config({ domains: {} }), { seed: seedOf(live) });
      await made.configure(config({ domains: { a: { domain: "a.acme.com" } } }));
      const counted = await made.run(["drift", ...made.args]);
      const planned = await made.follow(suggestion(counted, /^driftline drift .*--unmanaged/));
      expect(await made.follow(suggestion(planned, /^driftline import/))).toMatchObject({ code: 0 });
      // An alias is not edited, so the import says what to add by hand.
      const domains = { a: { domain: "a.acme.com" } };
      await made.configure({ "x-domains": domains, ...config({ exclusive: ["domains"], domains }) });
      const accepted = await made.run(["drift", "--accept", "--yes", ...made.args]);
      const imported = await made.follow(suggestion(accepted, /^driftline import/));
      expect(imported).toMatchObject({ code: 2, stdout: expect.stringContaining("b-acme-com:") as string });
      expect(
        await made.follow(suggestion(await made.run(["plan", ...made.args]), /^driftline apply .*--prune/)),
      ).toMatchObject({ code: 0 });
      expect(await made.run(["drift", ...made.args])).toMatchObject({ code: 0 });
      expect(made.emulator.find("domain")).toHaveLength(1);
    },
  },
  {
    name: "an object that a pin settles: one that was renamed and edited, and one that is not to be created anew",
    of: [
      'plan/guard/probably-same.ts: "pin" { only: `${address}=${live.id}` }',
      'plan/plan-resource.ts: "pin" { only: address }',
    ],
    test: async () => {
      const declared = { name: "It", query: QUERY, description: "declared" };
      const made = await world(web({ insights: { it: declared } }), {
        seed: seedOf({}, { insights: [{ id: 7, name: "Renamed", query: QUERY, description: "live" }] }),
      });
      const planned = await made.run(["plan", ...made.args]);
      expect(await made.follow(suggestion(planned, /^driftline pin/))).toMatchObject({ code: 0 });
      expect(await made.run(["apply", "--yes", ...made.args])).toMatchObject({ code: 0 });
      expect(made.emulator.find("insight")).toMatchObject([{ id: 7, name: "It" }]);
      await made.configure(web({ insights: { it: declared } }));
      const recreate = ["--recreate", "acme/projects/web/insights/it"];
      const again = await made.run(["plan", ...recreate, ...made.args]);
      expect(await made.follow(suggestion(again, /^driftline pin/))).toMatchObject({ code: 0 });
      expect(await made.run(["pin", "--yes", ...made.args])).toMatchObject({
        stdout: expect.stringContaining("Nothing"),
      });
    },
  },
  {
    name: "an object that may be one of two declared ones: pin it",
    of: ['plan/match.ts: "pin" { only: `${address}=${live.id}` }'],
    test: async () => {
      const query = (event: string): object => ({
        ...QUERY,
        source: { ...QUERY.source, series: [{ kind: "EventsNode", event }] },
      });
      const old = { name: "A (2025)", query: QUERY, lifecycle: { renamed_from: "A" } };
      const made = await world(web({ insights: { old, new: { name: "A", query: query("paid") } } }), {
        seed: seedOf({}, { insights: [{ id: 7, name: "A", query: query("left") }] }),
      });
      const planned = await made.run(["plan", ...made.args]);
      expect(planned.code).toBe(1);
      expect(await made.follow(suggestion(planned, /^driftline pin .*insights\/old=7/))).toMatchObject({ code: 0 });
      expect(await made.run(["apply", "--yes", ...made.args])).toMatchObject({ code: 0 });
      expect(made.emulator.find("insight").map(({ id, name }) => [id === 7, name])).toEqual([
        [true, "A (2025)"],
        [false, "A"],
      ]);
    },
  },
  {
    name: "an object whose name has other capital letters: pin it",
    of: [],
    test: async () => {
      const made = await world(web({ insights: { it: { name: "it", query: QUERY } } }), {
        seed: seedOf({}, { insights: [{ id: 7, name: "It" }] }),
      });
      const planned = await made.run(["plan", ...made.args]);
      expect(await made.follow(suggestion(planned, /^driftline pin/))).toMatchObject({ code: 0 });
      expect(await made.run(["apply", "--yes", ...made.args])).toMatchObject({ code: 0 });
      expect(made.emulator.find("insight")).toMatchObject([{ id: 7, name: "it" }]);
    },
  },
];
