import type { Json } from "../json.ts";
import type { Row } from "../store/table.ts";
import type { Service } from "../service.ts";

/** That a user looked at an insight, and when last. */
export interface Viewing extends Row {
  /** The user's and the insight's id. */
  readonly id: string;
  readonly user: number;
  readonly insight: number;
  /** Later ones are larger. */
  readonly serial: number;
}

/** Notes that a user looked at an insight now. */
export function noteViewing(service: Service, user: number, insight: number): void {
  service.store.viewings.put({ id: `${user}/${insight}`, user, insight, serial: service.ids.next("viewing") });
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
