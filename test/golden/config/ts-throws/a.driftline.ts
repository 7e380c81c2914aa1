const products: readonly string[] = [];

function first(): string {
  const [product] = products;
  if (product === undefined) throw new Error("there are no products");
  return product;
}

export default { driftline: 1, organizations: { acme: { name: first() } } };
