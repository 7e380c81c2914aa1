import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownQuery } from "../../../../src/emulator/resources/batch-export/shown-query.ts";
import { compareQueries } from "../../../../src/kinds/batch-export/compare-queries.ts";
import { budget } from "../../../support/budget.ts";

const QUERY = "SELECT event, properties.plan AS plan FROM events WHERE event = 'signed up' AND timestamp > 5";

describe("two texts of a query", () => {
  it.each([
    ["spaces and lines", "SELECT event,\n  distinct_id FROM events", "SELECT event, distinct_id FROM events"],
    ["the case of key words", "select event from events", "SELECT event FROM events"],
    ["a semicolon at the end", "SELECT event FROM events ;", "SELECT event FROM events"],
    ["quotes around a plain name", 'SELECT "event", `$ip` FROM events', "SELECT event, $ip FROM events"],
  ])("are equal but for %s", (_case, declared, live) => {
    expect(compareQueries(declared, live)).toBe("equal");
  });

  it.each([
    ["another column", QUERY.replace("plan AS", "tier AS")],
    ["one column more", QUERY.replace("event,", "event, distinct_id,")],
    ["one column less", QUERY.replace("event, ", "").replace("event = 'signed up' AND", "")],
    ["another text", QUERY.replace("signed up", "signed out")],
    ["a name in another case", QUERY.replace("AS plan", "AS Plan")],
    ["another number", QUERY.replace("> 5", "> 6")],
    ["no condition", "SELECT event, properties.plan AS plan FROM events"],
  ])("differ by %s", (_case, live) => {
    expect([compareQueries(QUERY, live), compareQueries(live, QUERY)]).toEqual(["different", "different"]);
  });

  // Services may print operators as functions, and name tables.
  it.each([
    [
      "operators as functions",
      QUERY,
      "SELECT event, properties.plan AS plan FROM events WHERE and(equals(event, 'signed up'), greater(timestamp, 5))",
    ],
    ["the table before a name", QUERY, QUERY.replace("SELECT event", "SELECT events.event")],
    ["another function", "SELECT min(a) FROM events", "SELECT max(a) FROM events"],
    ["keys as texts", "SELECT properties.plan FROM events", "SELECT get(properties, 'plan') FROM events"],
    ["all columns", "SELECT * FROM events", "SELECT event, distinct_id FROM events"],
    ["a part that is left out", "SELECT event FROM events WHERE 1 = 2", "SELECT event FROM events WHERE 0"],
    ["a part that is always false", "SELECT event FROM events WHERE a = 'b' AND false", "SELECT event FROM events"],
    ["a case", "SELECT CASE WHEN a = 'b' THEN c ELSE d END FROM events", "SELECT if(a = 'b', c, d) FROM events"],
    ["a cast", "SELECT cast(a AS Float) FROM events", "SELECT toFloat(a) FROM events"],
    ["another cast", "SELECT a::Float FROM events", "SELECT toFloat(a) FROM events"],
    ["an interval", "SELECT a + INTERVAL 1 day FROM events", "SELECT plus(a, toIntervalDay(1)) FROM events"],
    ["a minus", "SELECT -a FROM events", "SELECT multiply(a, 1) FROM events"],
    ["a text with an escape", "SELECT event FROM events WHERE a = 'it''s'", "SELECT event FROM events WHERE a = 'its'"],
    ["a name that is not plain", "SELECT `a b` FROM events", "SELECT b FROM events"],
    ["a comment", "SELECT event -- , distinct_id\nFROM events", "SELECT event FROM events"],
    [
      "a placeholder",
      "SELECT event FROM events WHERE timestamp > {start}",
      "SELECT event FROM events WHERE timestamp > 1",
    ],
    ["a text that does not end", "SELECT 'a FROM events", "SELECT b FROM events"],
  ])("cannot be compared with %s", (_case, declared, live) => {
    expect([compareQueries(declared, live), compareQueries(live, declared)]).toEqual(["unknown", "unknown"]);
  });

  it("are equal whatever they hold, if they are the same", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(compareQueries(text, text)).toBe("equal");
      }),
      { numRuns: budget(300) },
    );
  });

  it("never differ if a service has only printed one anew", () => {
    const pieces = [
      "select ",
      "FROM ",
      "event",
      ", ",
      "'a  b'",
      "`in`",
      "\n",
      " = ",
      "(",
      ")",
      "-",
      "5",
      ".",
      " ;",
      "as",
    ];
    const query = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((some) => some.join(""));
    fc.assert(
      fc.property(query, (text) => {
        expect(compareQueries(text, shownQuery(text))).not.toBe("different");
      }),
      { numRuns: budget(1000), examples: [[".\nselect "]] },
    );
  });
});
