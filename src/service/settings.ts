/** Settings as a page shows them, and changing one. The file's form and its rules are behind the port. */
import { err, ok, type Result } from "#kit";
import type { ServiceError } from "./errors.ts";
import type { ConfigItemJson, ConfigJson } from "#api";
import type { Context } from "./context.ts";

export interface SettingsApi {
  readonly settings: () => Result<ConfigJson, ServiceError>;
  /** `value` as one types it: `off`, `30m`, `a, b`. */
  readonly setSetting: (key: string, value: string) => Result<ConfigItemJson, ServiceError>;
}

export const createSettingsApi = ({ config, writable }: Context): SettingsApi => ({
  settings: () => {
    const items = config.read();
    return items.ok
      ? ok({ path: config.path, items: items.value, warnings: config.warnings() })
      : items;
  },
  setSetting: (key, value) => {
    if (!writable) return err({ type: "service.read-only" });
    const items = config.read();
    if (!items.ok) return items;
    // Which program runs and where a key is sent is for the file alone: a token must not become a shell.
    if (items.value.find((item) => item.key === key)?.editable === false)
      return err({ type: "config.locked", key });
    return config.set(key, value);
  },
});
