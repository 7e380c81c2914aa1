/** The hint for the address of a service without `https://`; undefined if something else is wrong with it. */
export function urlHint(text: string): string | undefined {
  // A user name and a password could be in it, and a query has no meaning there.
  if (!/^[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/u.test(text) || !/[.:]|^localhost/u.test(text)) return undefined;
  const protocol = /^(?:localhost|127\.)/u.test(text) ? "http" : "https";
  const url = `${protocol}://${text}`;
  return URL.canParse(url) ? `Write it with its protocol: ${url}` : undefined;
}
