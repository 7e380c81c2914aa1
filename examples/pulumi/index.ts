import { Config } from "@pulumi/pulumi";
import { BatchExport, Domain, Insight, Membership, Organization } from "driftline/pulumi";

const config = new Config();

// Taken over by its name, never founded by a mistyped one; protected, as everything else belongs to it.
const acme = new Organization("acme", { name: "Acme Inc", enforce2fa: true, adopt: true }, { protect: true });
const organizationId = acme.id;

const corp = new Domain("corp", { organizationId, domain: "acme.com" });
new Membership("ada", { organizationId, email: "ada@acme.com", level: "admin", adopt: true });
// On its project's route, where every server takes it.
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

/** The DNS record that proves the domain, and the insight's link. */
export const challenge = corp.verificationChallenge;
export const insight = signups.shortId;
