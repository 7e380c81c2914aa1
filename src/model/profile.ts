/**
 * What a service is taken for. `posthog`: a server that people run, with what it has beyond the interface document. `document`: only
 * what the interface document has.
 */
export const PROFILES = ["posthog", "document"] as const;

export type Profile = (typeof PROFILES)[number];

export function isProfile(text: unknown): text is Profile {
  return (PROFILES as readonly unknown[]).includes(text);
}
