import type { EventInput, Seed } from "../../../src/emulator/index.ts";
import { ORG } from "./harness.ts";

const at = (
  event: string,
  distinct_id: string,
  timestamp: string,
  properties: EventInput["properties"] = {},
): EventInput => ({ event, distinct_id, timestamp, properties });

/**
 * The events of three people in one week, few enough to count by hand. The tests run on 2030-01-10.
 *
 * | day | view                         | signup      | pay     | cancel |
 * |-----|------------------------------|-------------|---------|--------|
 * | 3rd | ann Firefox, ann Firefox     |             |         |        |
 * | 4th | bob Chrome                   | ann         |         |        |
 * | 5th | cid (no browser), ann Chrome |             | ann     |        |
 * | 6th |                              | bob         |         | bob    |
 * | 7th |                              |             | bob     |        |
 * | 9th |                              | cid         |         |        |
 */
export const EVENTS: readonly EventInput[] = [
  at("view", "ann", "2030-01-03T08:00:00Z", { browser: "Firefox", plan: 1 }),
  at("view", "ann", "2030-01-03T09:00:00Z", { browser: "Firefox", plan: 1 }),
  at("signup", "ann", "2030-01-04T08:00:00Z"),
  at("view", "bob", "2030-01-04T23:59:59Z", { browser: "Chrome", plan: 2 }),
  at("view", "cid", "2030-01-05T00:00:00Z", { plan: 3 }),
  at("view", "ann", "2030-01-05T10:00:00Z", { browser: "Chrome", plan: 1 }),
  at("pay", "ann", "2030-01-05T12:00:00Z"),
  at("signup", "bob", "2030-01-06T23:59:59Z"),
  at("cancel", "bob", "2030-01-06T23:59:59.500Z"),
  at("pay", "bob", "2030-01-07T12:00:00Z"),
  at("signup", "cid", "2030-01-09T00:00:00Z"),
];

/** A project with these events, and an action with two of them. */
export const EVENT_SEED: Seed = {
  organizations: [
    {
      id: ORG,
      name: "Acme",
      projects: [
        {
          id: 2,
          name: "Web",
          events: EVENTS,
          actions: [{ id: 5, name: "Committed", events: ["signup", "pay"] }],
          test_account_filters: [{ key: "browser", value: "Firefox", operator: "is_not" }],
        },
      ],
    },
  ],
};

/** The current time of the tests on these events. */
export const TODAY = (): Date => new Date("2030-01-10T15:00:00Z");
