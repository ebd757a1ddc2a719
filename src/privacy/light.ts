/**
 * The light part of this room, for hook processes: blocks, paths and the question whether the rest is needed.
 * The rules are loaded only when loadGate is called.
 */
import type { PrivacyGate } from "#domain";
import type { GateOptions } from "./gate.ts";

export { stripBlocks } from "./blocks.ts";
export { mayHoldSecret } from "./prefilter.ts";
export { isSecretPath } from "./secret-commands.ts";

/** The whole gate, loaded on demand. */
export async function loadGate(options: GateOptions = { redact: [] }): Promise<PrivacyGate> {
  const { createGate } = await import("./gate.ts");
  return createGate(options);
}
