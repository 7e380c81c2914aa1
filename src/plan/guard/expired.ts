import type { Check } from "../../kinds/check.ts";
import { kinds } from "../../kinds/registry.ts";

/** An expired object that apply leaves alone is not as declared: a plan shows it as a replace that is blocked. */
export const expiredObject: Check = {
  rule: "expired",
  ofWholePlan: true,
  look:
    () =>
    ({ action, kind, work: { live, resource } }) => {
      const remedy = kinds[kind].expiry?.remedy;
      const isLeft = action === "no_op" && live?.state === "expired" && resource?.lifecycle.forget !== true;
      return isLeft && remedy !== undefined ? { action: "replace", blocked: { remedy } } : undefined;
    },
};
