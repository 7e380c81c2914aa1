export default Promise.resolve({
  driftline: 1,
  organizations: { acme: { name: 5, domains: { corp: { domian: "acme.com" } }, "x/y": true, memberships: { "ada@acme.com": {} } } },
});
