/**
 * What keeps an apply from making what another run makes at the same time.
 *
 * Premise: no name is unique on the service, and runs on several machines share no lock, so two runs may create what neither has seen.
 * Algorithm: an apply of a configuration looks after its creates (creates/look.ts): it lists until it sees its own object, and of two it takes
 * the own one back if that is the younger one. An apply of one resource cannot take back what a state is about to hold, and each would
 * list for itself. So it reads right before its create, in one read with all creates in flight (shared-reads.ts), and creates nothing if
 * the object is there.
 * Both together: of two looks at least one sees both objects. A look also sees what was created after a read, and says so if that is the
 * younger object, because it takes back only the own one. Two reads may miss each other for as long as their creates take to be sent.
 */
export type OtherRuns = "look after" | ReadBefore;

/** Answers a create with what is new in its list. @param read does that for all creates of the list */
export type ReadBefore = <T>(list: string, read: () => Promise<T>) => Promise<T>;
