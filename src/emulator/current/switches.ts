import type { Dialect, Service } from "../service.ts";

/** The switches of the `current` dialect with their values at the start. Each one names the fact that it is about. */
const DEFAULTS = {
  /** 203: whether the routes of plugins are gone. */
  plugins_gone: false,
  /** 136: whether batch exports are gone from the routes of an organization. Not known for sure; probably they are. */
  organization_exports_gone: true,
  /** 118, 141, 147, 159: whether an organization has only the features in its `available_product_features`. */
  plan_limits: false,
  /** 124, 141: whether the server is the vendor's cloud, which knows subscriptions and refuses domains without the feature. */
  cloud: false,
  /** 124: whether organizations have an active subscription. Only a cloud asks. */
  active_subscription: false,
  /** 124: whether no organization can be deleted for now. */
  deletion_disabled: false,
  /** 124: how long a deletion stays pending, in seconds. */
  deletion_seconds: 60,
  /** 126: whether a request for an organization itself, unlike those for its objects, is answered while its deletion is pending. */
  pending_organization_readable: false,
  /** 138: whether domains have the four fields that the newest description no longer has. */
  domain_links: false,
  /** 122: whether a name of an organization that looks like a domain is refused. */
  domain_like_names_refused: true,
  /** 156: whether an invite for an address with a plus sign is refused. Not known for sure; probably it is. */
  plus_addresses_refused: true,
  /** 167: whether projects may export every few minutes. */
  frequent_exports: false,
  /** 168: whether projects may export the results of a query. */
  hogql_exports: true,
  /** 188: whether offsets without an interval are a server error. Not known for sure; probably they are. */
  lone_offsets_fail: true,
  /** 195: how many backfills of a project may run at the same time. */
  backfill_limit: 20,
  /** 207: whether answers still have the filters of an insight, as until 2026-09-15. */
  filters_shown: false,
  /** 210: whether the rules of the query runner refuse a query. */
  query_rules_enforced: false,
  /** 213: how many insights a dashboard may hold. */
  dashboard_limit: 100,
  /** 214: whether `dashboards` is shown only if a request asks for it. */
  dashboards_on_request: false,
  /** 220: whether a bare value where a list of insights expects a JSON array is a server error. Otherwise it is ignored. */
  bare_list_parameters_fail: true,
  /** 224: whether trends and funnels can still be calculated on the old routes. */
  old_calculations: true,
};

/** The values of all switches. */
export type Switches = { -readonly [Name in keyof typeof DEFAULTS]: (typeof DEFAULTS)[Name] };

/** The name of a switch that is on or off. */
export type FlagName = { [Name in keyof Switches]: Switches[Name] extends boolean ? Name : never }[keyof Switches];

/** Returns the switches at the start. In the other dialects nothing is switched, so everything they have is there. */
export function initialSwitches(dialect: Dialect, wanted: Partial<Switches> = {}): Switches {
  return { ...DEFAULTS, organization_exports_gone: dialect === "current", ...wanted };
}

/** Sets switches. @throws Error if there is no such switch, or for a value of another type */
export function setSwitches({ dialect, switches }: Service, wanted: Readonly<Record<string, unknown>>): void {
  if (dialect !== "current") throw new Error(`Only the dialect current has switches, and this one is ${dialect}.`);
  for (const [name, value] of Object.entries(wanted)) {
    if (!Object.hasOwn(DEFAULTS, name)) {
      throw new Error(`There is no switch "${name}"; there are ${Object.keys(DEFAULTS).join(", ")}.`);
    }
    const expected = typeof Object.entries(DEFAULTS).find(([known]) => known === name)?.[1];
    if (typeof value !== expected) throw new Error(`The switch "${name}" has to be a ${expected}.`);
  }
  Object.assign(switches, wanted);
}
