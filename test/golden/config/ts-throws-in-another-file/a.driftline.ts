import { describe } from "./helper.ts";

const products = JSON.parse('[{ "name": "Acme" }]') as { readonly name: string; readonly tags: readonly string[] }[];

export default {
  driftline: 1,
  organizations: Object.fromEntries(products.map(({ name, tags }) => [name, { name: describe(tags) }])),
};
