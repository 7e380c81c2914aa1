/** What the rest of driftline knows of people: who they are, what they may, and what is said of them. */
export {
  ACCESS_KINDS,
  type AccessRows,
  accessSettings,
  type DeclaredPerson,
  declaredPeople,
  PEOPLE_KIND,
  peopleWithAccess,
  undeclaredLookAlikes,
} from "./access-review.ts";
export { hasJoined, JOINED, peopleOf, isMemberOrPlaceholder } from "./members.ts";
export { declaredDomains } from "./own-domains.ts";
export { ownUser } from "./own-user.ts";
export { CREATOR, declaredTwice, levelText, membersGap, rightsOfPerson } from "./people.ts";
export { reviewPeople } from "./plan-review.ts";
export {
  type Declared,
  isLeftToOthers,
  LEVEL,
  PROTECT,
  protectionsIn,
  turnedOffWarnings,
  watchedIn,
} from "./protection.ts";
export { ignoredField, silentFieldsFor } from "./resend.ts";
