/**
 * The privacy gate as a hook needs it: private blocks always go; the rules for secrets are loaded only when a text
 * holds something that one of them might match.
 */
import { isSecretPath, loadGate, mayHoldSecret, stripBlocks } from "#privacy/light";
import type { SpoolGate } from "#capture";

/** A gate that is right for these texts and their parts. `redact` are the user's own expressions. */
export async function loadHookGate(
  redact: readonly string[],
  texts: readonly string[],
): Promise<SpoolGate> {
  // Asked after the blocks are out: what stood on both sides of a block may be a secret together.
  const needsRules =
    redact.length > 0 || texts.some((text) => mayHoldSecret(stripBlocks(text).text));
  if (needsRules) return loadGate({ redact });
  return {
    clean: (text) => ({ ...stripBlocks(text), redactions: 0 }),
    isSecretPath,
  };
}
