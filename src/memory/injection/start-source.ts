/** Reads the client's `source` of a SessionStart. */
import type { StartSource } from "./start-types.ts";

const sources: Readonly<Record<string, StartSource>> = {
  startup: "startup",
  resume: "resume",
  clear: "clear",
  compact: "compact",
  fork: "fork",
};

/** A source that a later client may invent counts as a plain start. */
export const startSourceOf = (text: string | null): StartSource =>
  text !== null && Object.hasOwn(sources, text) ? (sources[text] ?? "startup") : "startup";
