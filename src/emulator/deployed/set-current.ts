import type { Service } from "../service.ts";
import type { User } from "../records/user.ts";

/** Makes an organization with its first project the current ones of a user. */
export function setCurrent({ store }: Service, user: User, organization: string): void {
  const { current, projectless } = store;
  const before = current.get(user.id);
  const wasProjectless = projectless.has(user.id);
  const redo = (): void => {
    current.set(user.id, organization);
    projectless.delete(user.id);
  };
  redo();
  store.journal.record(() => {
    if (before === undefined) current.delete(user.id);
    else current.set(user.id, before);
    if (wasProjectless) projectless.add(user.id);
  }, redo);
}
