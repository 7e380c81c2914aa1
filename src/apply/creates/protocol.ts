/**
 * How a create treats what other runs create at the same time.
 *
 * Premise: no name is unique on the service, and runs on several machines share no lock, so two runs may create what neither has seen.
 * Algorithm: an apply of a configuration looks after its creates (look-after.ts). An apply of one resource cannot take back what a state is
 * about to hold, and each would list for itself, so it reads right before its create (read-before.ts).
 * Both together: of two looks at least one sees both objects. A look also sees what was created after a read, and says so if that is the
 * younger object, because it takes back only the own one. Two reads may miss each other for as long as their creates take to be sent.
 */
import type { LiveObject } from "../../model/live.ts";
import type { Task } from "../task.ts";
import type { BegunCreate, CreateRequest, FoundObject, ProvenAbsence } from "./resolve-create.ts";

export interface CreateProtocol {
  /** Whether a create yields to another run: the object of that run is then the one of the resource. Otherwise it is in the way. */
  readonly yields: boolean;
  /** Lists what exists right before a create. */
  readonly listBefore: (task: Task) => Promise<readonly LiveObject[]>;
  /** Returns the object of a create that was begun, or the proof that it does not exist. @throws ChangeError if neither is known */
  readonly find: (task: Task, request: CreateRequest, begun: BegunCreate) => Promise<FoundObject | ProvenAbsence>;
}
