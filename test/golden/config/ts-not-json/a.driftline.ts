const loop: Record<string, unknown> = {};
loop["self"] = loop;
const query = { at: new Date(0), run: () => 1, none: Number.NaN, list: [undefined], map: new Map(), "a/b~c": Symbol("x"), loop };

export default {
  driftline: 1,
  organizations: { acme: { name: "Acme", projects: { web: { id: 2, insights: { a: { name: "A", query, description: undefined } } } } } },
};
