import { own } from "./json/json.ts";
import { withoutQuotes } from "./text/quote.ts";

/** The regions of PostHog Cloud. A key and an organization belong to one of them. */
export const CLOUD_REGIONS = [
  { name: "US", url: "https://us.posthog.com" },
  { name: "EU", url: "https://eu.posthog.com" },
] as const;

/** Whether the key may go to a service without a person who has confirmed it: PostHog Cloud, or this machine. */
export function isKnownService(url: string): boolean {
  return isLoopback(url) || isCloud(url);
}

export function isCloud(url: string): boolean {
  return [...CLOUD_REGIONS.map((region) => region.url), "https://app.posthog.com"].includes(new URL(url).origin);
}

export function isLoopback(url: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(new URL(url).hostname);
}

/** What to do about a key that a region does not accept; undefined for every other service. */
export function otherRegionHint(url: string): string | undefined {
  const origin = URL.canParse(url) ? new URL(url).origin : "";
  if (!CLOUD_REGIONS.some((region) => region.url === origin)) return undefined;
  const other = CLOUD_REGIONS.find((region) => region.url !== origin);
  return other && `A key belongs to one region. The other one is ${other.url}.`;
}

/** Addresses of PostHog that have no management API, with the hint for each. */
const OTHER_HOSTS: Readonly<Record<string, string>> = {
  "eu.i.posthog.com": "Use https://eu.posthog.com.",
  "us.i.posthog.com": "Use https://us.posthog.com.",
  "posthog.com": "Use https://eu.posthog.com or https://us.posthog.com.",
  "www.posthog.com": "Use https://eu.posthog.com or https://us.posthog.com.",
};

/** The hint for an address of PostHog that takes events or is its website; undefined for every other one. */
export function otherHostHint(url: string): string | undefined {
  return URL.canParse(url) ? own(OTHER_HOSTS, new URL(url).hostname) : undefined;
}

/** The hint for the address of a service without `https://` or in quotes; undefined if something else is wrong with it. */
export function urlHint(text: string): string | undefined {
  if (withoutQuotes(text) !== undefined) return "Remove the quotes around it.";
  // A user name and a password could be in it, and a query has no meaning there.
  if (!/^[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/u.test(text) || !/[.:]|^localhost/u.test(text)) return undefined;
  const protocol = /^(?:localhost|127\.)/u.test(text) ? "http" : "https";
  const url = `${protocol}://${text}`;
  return URL.canParse(url) ? `Write it with its protocol: ${url}` : undefined;
}
