/**
 * The categories of the memory tree and their rules, as data (docs/design/memory.md, "The tree").
 * This table answers what holds for any category; the profile, the events and the archive are also named where they
 * are treated in a way of their own.
 */
import type { categories } from "./vocabulary.ts";

export type Category = (typeof categories)[number];

interface CategoryRule {
  /** The directory its leaves hang under. */
  readonly root: string;
  /** May a candidate be merged into an existing leaf of this category? */
  readonly mergeable: boolean;
  /** Exempt from decay (profile and preferences). */
  readonly timeless: boolean;
  /** Leaves are named with the day: `2026-02-25-deploy`. */
  readonly dated: boolean;
  /** One line for people and for prompts. */
  readonly meaning: string;
}

const rule = (
  root: string,
  meaning: string,
  ...traits: readonly ("dated" | "mergeable" | "timeless")[]
): CategoryRule => ({
  root: `mem://${root}`,
  meaning,
  mergeable: traits.includes("mergeable"),
  timeless: traits.includes("timeless"),
  dated: traits.includes("dated"),
});

export const categoryRules: Readonly<Record<Category, CategoryRule>> = {
  profile: rule("user/profile", "who the user is and how they work", "mergeable", "timeless"),
  preferences: rule(
    "user/preferences",
    "choices that may change, such as pnpm instead of npm",
    "mergeable",
    "timeless",
  ),
  entities: rule("user/entities", "people, projects, services, APIs, ports, buckets"),
  events: rule("user/events", "decisions and completed things, with a date", "dated"),
  patterns: rule("agent/patterns", "reusable techniques and rules of a codebase", "mergeable"),
  cases: rule("agent/cases", "problem, cause and solution"),
  sessions: rule("sessions", "the archive: exchanges and summaries"),
};

export const isCategory = (text: string): text is Category => Object.hasOwn(categoryRules, text);

// Places of the memory tree that more than one room has to know.

/** The root of the tree; every canonical URI starts with it. */
export const treeRoot = "mem://";

/**
 * Ways in which the user likes to work: one memory of many statements, kept by the program itself, so that it keeps its
 * place and no other memory becomes part of it.
 */
export const communicationUri = `${categoryRules.profile.root}/communication`;

/** True for a note of another program that says what was seen on the way: it belongs to the archive. */
export const isSentence = (uri: string): boolean => uri.includes("/sentences/");

/** True for the leaf of an exchange: what was said in one turn, prompt and answer together. */
export const isExchange = (uri: string): boolean => uri.includes("/exchanges/");
