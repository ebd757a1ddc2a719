/** The privacy gate as the settings are now: what the user redacts or allows holds from the next text on. */
import type { PrivacyGate } from "#domain";
import { createGate } from "#privacy";
import type { SettingsSource } from "./context.ts";

export function gateOver(settings: Pick<SettingsSource, "current">): PrivacyGate {
  let { privacy } = settings.current();
  let gate = createGate(privacy);
  const now = (): PrivacyGate => {
    const current = settings.current().privacy;
    if (current !== privacy) [privacy, gate] = [current, createGate(current)];
    return gate;
  };
  return {
    clean: (text) => now().clean(text),
    cleanAgainst: (text, hidden) => now().cleanAgainst(text, hidden),
    isSecretPath: (path) => now().isSecretPath(path),
    readsSecrets: (command) => now().readsSecrets(command),
  };
}
