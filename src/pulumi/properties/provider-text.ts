/**
 * The text that Pulumi stores with every resource, and that its process of dynamic providers runs on refresh, update and
 * delete for as long as the resource is there. It is frozen for ever: another text would be a change of every resource, and
 * states would still hold this one. `createRequire` finds the package in node_modules and in the package's own folder alike.
 */
export function providerText(entry: string): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/")("driftline/dynamic").${entry}();`;
}

/** How a class of resources stands in every state: its type, and the text. */
export function identityOf(title: string): { readonly type: string; readonly text: string } {
  const entry = title.charAt(0).toLowerCase() + title.slice(1);
  return { type: `pulumi-nodejs:dynamic/driftline:${title}`, text: providerText(entry) };
}
