/** What a person asks to remember by hand, as a candidate for the same dedup and merge that all others go through. */
import type { Candidate, Category, Store, StoreDep } from "#domain";
import { cutAtWord, cutToTokens, oneLine } from "#kit";
import { aliasesOf, limits, slugOf } from "#memory";
import type { LearnerDep } from "./deps.ts";

export interface RememberAsk {
  readonly text: string;
  /** Null = chosen by the local rules. */
  readonly category: Exclude<Category, "sessions"> | null;
  /** Project key or name; null = everywhere. */
  readonly project: string | null;
  readonly tags: readonly string[];
  /** 1 to 5. */
  readonly importance: number;
  /** Session that asked for it; null = a person at a terminal. */
  readonly sessionId: string | null;
  /** Who asks. An agent's wording never passes for the user's, unless the user has just written it. */
  readonly by: "user" | "agent";
  readonly nowMs: number;
}

/** What was asked for by name as a candidate: maker `manual`. `text` has passed the privacy gate. */
export function candidateOf(
  { learner, store }: LearnerDep & StoreDep,
  text: string,
  ask: RememberAsk,
): Candidate {
  const line = oneLine(text);
  const l0 = cutToTokens(line, limits.l0TokensMax);
  const category = ask.category ?? learner.categoryOf(text);
  return {
    category,
    uriHint: slugOf(line),
    l0,
    l1: null,
    l2: l0 === text ? null : text,
    importance: ask.importance,
    tags: ask.tags,
    files: [],
    aliases: aliasesOf(line),
    // Who the user is does not depend on a project.
    project: category === "profile" ? null : ask.project,
    origin: ask.by === "user" || isUsersWording(store, text, ask.sessionId) ? "user" : "agent",
    maker: "manual",
    evidence: {
      sessionId: ask.sessionId ?? "manual",
      turn: null,
      line: null,
      quote: cutAtWord(text, limits.quoteCharsMax),
    },
    branch: null,
    atMs: ask.nowMs,
  };
}

/** Shorter than this, words stand in a prompt by chance. */
const wordingCharsMin = 8;

/** Did the user write this in the prompt that the session is at work on? */
function isUsersWording(store: Store, text: string, sessionId: string | null): boolean {
  const prompt = sessionId === null ? null : store.sessions.currentTurn(sessionId)?.prompt;
  const said = plain(text);
  return said.length >= wordingCharsMin && plain(prompt ?? "").includes(said);
}

/** Letter case, spacing and a full stop at the end make no difference. */
const plain = (text: string): string =>
  oneLine(text)
    .toLowerCase()
    .replace(/[.!]+$/, "");
