import { Config } from "@pulumi/pulumi";
import { BatchExport, Domain, Insight, Membership, Organization } from "driftline/pulumi";

const config = new Config();

// `adopt` finds the organization by its name, so a mistyped name does not create a new one. It is protected, because deleting
// it would delete everything in it.
const acme = new Organization("acme", { name: "Acme Inc", enforce2fa: true, adopt: true }, { protect: true });
const organizationId = acme.id;

const corp = new Domain("corp", { organizationId, domain: "acme.com" });
new Membership("ada", { organizationId, email: "ada@acme.com", level: "admin", adopt: true });
// For a self-hosted server of 2025: on today's service the type is AwsS3, with an `integration` in the place of the keys.
// With `projectId` instead of `organizationId`, because not every server accepts batch exports of an organization.
new BatchExport("events-to-s3", {
  projectId: 2,
  name: "Events to S3",
  interval: "hour",
  destination: {
    type: "S3",
    config: {
      bucket_name: "acme-events",
      region: "eu-central-1",
      prefix: "events/",
      aws_secret_access_key: config.requireSecret("awsSecretAccessKey"),
    },
  },
});
const signups = new Insight("signups", {
  projectId: 2,
  name: "Signups per week",
  query: {
    kind: "InsightVizNode",
    source: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "signed up" }] },
  },
  tags: ["growth"],
});

/** The DNS record that verifies the domain, and the short id in the link of the insight. */
export const challenge = corp.verificationChallenge;
export const insight = signups.shortId;
