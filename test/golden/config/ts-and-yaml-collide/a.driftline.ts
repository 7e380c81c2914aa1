export default { driftline: 1, organizations: { acme: { name: "Acme", domains: { corp: { domain: "acme.com" } } } } };
