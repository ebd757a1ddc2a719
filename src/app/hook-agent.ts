/**
 * What a hook of another agent than Claude Code loads: a module of its own, so that no hook of Claude Code pays for it.
 */
export { hookAdapter } from "#clients";
