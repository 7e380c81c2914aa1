import { defineTable } from "../../store/table.ts";
import type { Json } from "../../json.ts";
import type { Row } from "../../store/table.ts";
import type { Service } from "../../service.ts";

/** That a user looked at an insight, and when last. */
export interface Viewing extends Row {
  /** The user's and the insight's id. */
  readonly id: string;
  readonly user: number;
  readonly insight: number;
  /** Later ones are larger. */
  readonly serial: number;
}

/** Who looked at what, by user. */
export const viewingTable = defineTable<Viewing>((row) => row.user);

/** Notes that a user looked at an insight now. */
export function noteViewing(service: Service, user: number, insight: number): void {
  viewingTable(service).put({ id: `${user}/${insight}`, user, insight, serial: service.ids.next("viewing") });
}

/** When an insight was last calculated, kept apart from it: most never are. */
export interface Calculation extends Row {
  /** The insight. */
  readonly id: number;
  readonly at: string;
  /** The first moment at which it is worth another calculation, in milliseconds since 1970. */
  readonly staleAt: number;
  /** The insight's `updated_at` at that moment. */
  readonly updated_at: string;
  readonly result: Json;
}

/** The last calculation of each insight that was calculated. */
export const calculationTable = defineTable<Calculation>(() => "all");
