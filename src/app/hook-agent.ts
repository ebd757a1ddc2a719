/**
 * The part that only hooks of other agents than Claude Code load: a module of its own, so that no
 * hook of Claude Code pays for it.
 */
export { hookAdapter } from "#clients";
