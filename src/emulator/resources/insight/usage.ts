import { defineTable, type Row } from "../../store/table.ts";
import type { Json } from "../../json.ts";
import type { Service } from "../../service.ts";

/** The last time that a user viewed an insight. */
export interface Viewing extends Row {
  /** The ids of the user and the insight. */
  readonly id: string;
  readonly user: number;
  readonly insight: number;
  /** Increases with every viewing. */
  readonly serial: number;
}

/** The viewings, by user. */
export const viewingTable = defineTable<Viewing>((row) => row.user);

/** Records that a user viewed an insight now. */
export function recordViewing(service: Service, user: number, insight: number): void {
  viewingTable(service).put({ id: `${user}/${insight}`, user, insight, serial: service.ids.next("viewing") });
}

/** The last calculation of an insight. It has its own table because most insights are never calculated. */
export interface Calculation extends Row {
  /** The id of the insight. */
  readonly id: number;
  readonly at: string;
  /** The earliest time of the next calculation, in milliseconds since 1970. */
  readonly staleAt: number;
  /** The `updated_at` of the insight at the time of the calculation. */
  readonly updated_at: string;
  readonly result: Json;
}

/** The last calculation of each insight that has one. */
export const calculationTable = defineTable<Calculation>(() => "all");
