import type { Edit, EditSource } from "../../edit/edit.ts";
import type { Change, FieldChange } from "../../model/change.ts";
import type { LiveValueToWrite } from "./validate-accepted.ts";

/** An edit of a file that makes it say what is live. */
export type AcceptEdit = Edit<AcceptSource>;

/** What an edit accepts. */
export type AcceptSource = FieldSource | RemovalSource | AdditionSource;

interface ChangeSource extends EditSource {
  readonly change: Change;
}

/** The live value of a field. */
export interface FieldSource extends ChangeSource {
  readonly type: "field";
  readonly field: FieldChange;
  /** The value that the configuration has to accept. */
  readonly accepted: LiveValueToWrite;
}

/** That an object is gone: its declaration is removed. */
interface RemovalSource extends ChangeSource {
  readonly type: "removal";
}

/** An object that nothing declared. */
interface AdditionSource extends ChangeSource {
  readonly type: "addition";
  /** The address of the new declaration. */
  readonly added: string;
}
