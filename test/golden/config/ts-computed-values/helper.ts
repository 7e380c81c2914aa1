export const shared = { enforce_2fa: "no", metadata: { team: "growth" } };

/** The same mistake in many resources is one error at one place. */
export function domain(name: string): object {
  return {
    domain: name,
    verified: true,
  };
}
