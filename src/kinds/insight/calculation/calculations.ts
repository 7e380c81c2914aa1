import type { Calculations } from "../../calculation.ts";
import { questionOf } from "./question.ts";
import { rangeOf } from "./range.ts";
import { valuesAfter } from "./source.ts";

/** How the numbers of an insight are asked for. They depend on its query and its filters alone. */
export const CALCULATIONS: Calculations = { after: valuesAfter, rangeOf, of: questionOf };
