import { domain, shared } from "./helper.ts";

const names: readonly string[] = ["first", "second"];
const list = [{ domain: "list.com" }, { domian: "misspelled.com" }];

export default {
  driftline: 1,
  organizations: {
    acme: {
      ...JSON.parse('{ "slag": "acme" }'),
      ...shared,
      name: "Acme",
      domains: {
        ...Object.fromEntries(names.map((name) => [name, { domain: `${name}.com`, jit: name }])),
        ...Object.fromEntries(list.map((one, index) => [`listed-${index}`, one])),
        other: domain("other.com"),
        another: domain("another.com"),
      },
    },
  },
};
