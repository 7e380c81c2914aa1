async function organizationName(): Promise<string> {
  await Promise.resolve();
  throw new TypeError("no organization\nfound");
}

export default { driftline: 1, organizations: { acme: { name: await organizationName() } } };
