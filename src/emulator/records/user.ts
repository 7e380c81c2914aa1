import { defineTable, type Row } from "../store/table.ts";
import type { Json } from "../json.ts";
import type { Service } from "../service.ts";

/** A person, as embedded in other objects. Unlike other rows, a user is rendered as stored. */
export interface User extends Row {
  readonly id: number;
  readonly uuid: string;
  readonly distinct_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly is_email_verified: boolean | null;
  readonly hedgehog_config: Json;
  /** Only deployed servers send this field. */
  readonly role_at_organization?: null;
}

/** All users. */
export const userTable = defineTable<User>(() => "all");

/** Finds a user by e-mail address, ignoring case. */
function findUser(service: Service, email: string): User | undefined {
  const wanted = email.toLowerCase();
  return userTable(service)
    .all()
    .find((user) => user.email.toLowerCase() === wanted);
}

/** Returns the user with this e-mail address. Creates the user if there is none. */
export function ensureUser(service: Service, values: Partial<User> & { readonly email: string }): User {
  const known = findUser(service, values.email);
  if (known !== undefined) return known;
  const { ids, isRealServer } = service;
  const id = values.id ?? ids.next("user");
  ids.reserve("user", id);
  return userTable(service).put({
    id,
    uuid: ids.uuid(),
    distinct_id: ids.token(43),
    first_name: "",
    last_name: "",
    is_email_verified: isRealServer ? null : true,
    hedgehog_config: isRealServer ? null : {},
    ...(isRealServer ? { role_at_organization: null } : {}),
    ...values,
  });
}
