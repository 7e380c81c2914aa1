/** The products to measure. */
export const products = [
  { key: "checkout", title: "Checkout", event: "checkout_completed" },
  { key: "search", title: "Search", event: "search_performed" },
  { key: "editor", title: "Editor", event: "document_saved" },
];
