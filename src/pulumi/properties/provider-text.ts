/**
 * The text that Pulumi stores with every resource. Its process of dynamic providers runs it on refresh, update and
 * delete. It must never change: a new text would show as a change of every resource, and existing states would still
 * hold this one. `createRequire` finds the package both in node_modules and in the package's own folder.
 */
function providerText(entry: string): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/")("driftline/dynamic").${entry}();`;
}

/** The type of a packaged resource in every state, and of a function. Like the types and texts of dynamic resources, it never changes. */
export function packagedType(name: string): string {
  return `driftline:index:${name}`;
}

/** The type and the text of a resource class in every state. */
export function identityOf(title: string): { readonly type: string; readonly text: string } {
  const entry = title.charAt(0).toLowerCase() + title.slice(1);
  return { type: `pulumi-nodejs:dynamic/driftline:${title}`, text: providerText(entry) };
}
