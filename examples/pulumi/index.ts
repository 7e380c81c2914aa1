import { Config } from "@pulumi/pulumi";
import { BatchExport, Domain, Insight, Membership, Organization } from "driftline/pulumi";

const config = new Config();

// `adopt` finds the organization by its name, so a mistyped name does not create a new one. It is protected, because deleting
// it would delete everything in it.
const acme = new Organization("acme", { name: "Acme Inc", enforce2fa: true, adopt: true }, { protect: true });
const organizationId = acme.id;

const corp = new Domain("corp", { organizationId, domain: "acme.com" });
new Membership("ada", { organizationId, email: "ada@acme.com", level: "admin", adopt: true });
// The service keeps the keys in the integration of this number. A self-hosted server of 2025 has none: there the type is S3, with the keys in
// `config`, as secrets: `aws_secret_access_key: config.requireSecret("awsSecretAccessKey")`.
// With `projectId` instead of `organizationId`, because not every server accepts batch exports of an organization.
new BatchExport("events-to-s3", {
  projectId: 2,
  name: "Events to S3",
  interval: "hour",
  destination: {
    type: "AwsS3",
    integration: config.requireNumber("s3Integration"),
    config: { bucket_name: "acme-events", region: "eu-central-1", prefix: "events/" },
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
