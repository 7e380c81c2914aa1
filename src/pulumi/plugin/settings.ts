import { asText } from "../../kinds/keys.ts";
import { isJsonObject, type Json, own } from "../../model/json/json.ts";
import { suggest } from "../../model/text/suggest.ts";
import { UNKNOWN, type CheckFailure } from "../properties/check.ts";
import type { Properties } from "../properties/properties.ts";
import { settingProblem, type Setting, SETTINGS } from "../properties/settings.ts";
import { UnknownSettingError } from "../provider/errors.ts";
import type { StackConfig } from "../provider/calls.ts";
import { unwrapSecrets } from "./wire.ts";

/**
 * Returns the errors in the settings of a provider. They name no property, because the engine would print its value, which
 * may be a key that was set under a wrong name.
 */
export function checkSettings(news: Properties): readonly CheckFailure[] {
  return Object.entries(news).flatMap(([name, value]) => {
    const problem = problemWith(name, value);
    return problem === undefined ? [] : [{ property: "", reason: `driftline:${name} ${problem}` }];
  });
}

function problemWith(name: string, value: Json): string | undefined {
  if (!isSetting(name) || value === UNKNOWN || value === null || value === "") return undefined;
  if (isJsonObject(value) || Array.isArray(value) || typeof value === "boolean") return "must be a text";
  return settingProblem(name, value);
}

/**
 * Returns warnings about names that are probably mistyped. All other names are left alone: they belong to the engine, to
 * driftline's own program, or to a project that is itself named driftline and has a configuration of its own.
 */
export function mistypedSettings(news: Properties): readonly string[] {
  return Object.keys(news).flatMap((name) => {
    const close = isSetting(name) ? undefined : suggest(name, SETTINGS);
    return close === undefined
      ? []
      : [`driftline:${name} is not a setting of driftline; did you mean driftline:${close}?`];
  });
}

function isSetting(name: string): name is Setting {
  return (SETTINGS as readonly string[]).includes(name);
}

/** The settings that the engine configures a provider with. */
export function settingsOf(args: Properties, signal: AbortSignal): StackConfig {
  const values = unwrapSecrets(args) as Properties;
  return {
    comesFirst: true,
    signal,
    get: (key) => {
      const value = own(values, key.replace("driftline:", ""));
      if (value === UNKNOWN)
        throw new UnknownSettingError(
          `the setting ${key} is not known before the resource that it comes from is created`,
        );
      return asText(value);
    },
  };
}
