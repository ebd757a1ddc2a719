/**
 * Reads what the decision about a prompt needs: what is found for it, what rules its kind of work has, and how well the
 * project knows its words. Read-only; the only part of prompt injection that touches a port.
 */
import type { Embedder, FindQuery, FoundDocument, LexicalIndex } from "#domain";
import { activitiesOf } from "./activities.ts";
import { isTerse, mentions, tellingWords } from "./prompt-features.ts";
import type { PromptEvidence, PromptInput, WordCounts } from "./prompt-types.ts";

export interface GatherDeps {
  readonly finder: { readonly find: (query: FindQuery) => readonly FoundDocument[] };
  readonly lexical: LexicalIndex;
  readonly embedder: Embedder;
}

/** Enough that five are left when seen and outdated ones are out. */
const foundMax = 24;
const practicesMax = 3;
const contextPromptsMax = 3;
/** The last prompts break ties between memories; they never bring one in by themselves. */
const contextWeight = 0.3;

/** A prompt of more words than this says itself what it is about. */
const contextWordsMax = 6;

/** Evidence for one prompt. The same store and input give the same evidence. */
export function gatherPrompt(deps: GatherDeps, input: PromptInput): PromptEvidence {
  const calibration = deps.embedder.identity;
  // What will be silent anyway costs no search.
  if (!input.inject.prompt || isTerse(input.prompt)) return { ...input, ...nothing, calibration };
  const words = tellingWords(input.prompt);
  const home = input.homeProject === null ? [] : [input.homeProject];
  return {
    ...input,
    found: findWithContext(deps, input, words.length),
    practices: findPractices(deps, input),
    inPrompts: deps.lexical.frequencies("prompt", words, home),
    inMemories: deps.lexical.frequencies("memory", words, home),
    calibration,
  };
}

const noCounts: WordCounts = { documents: 0, byTerm: new Map() };
const nothing = { found: [], practices: [], inPrompts: noCounts, inMemories: noCounts };

const queryFor = (input: PromptInput, text: string, limit: number): FindQuery => ({
  text,
  kinds: ["memory"],
  projects: null,
  homeProject: input.homeProject,
  limit,
  sort: "relevance",
  nowMs: input.nowMs,
});

function findWithContext(
  deps: GatherDeps,
  input: PromptInput,
  wordCount: number,
): readonly FoundDocument[] {
  const found = deps.finder.find(queryFor(input, input.prompt, foundMax));
  const context = input.recentPrompts.slice(0, contextPromptsMax).join("\n");
  if (context.trim() === "" || found.length === 0 || wordCount > contextWordsMax) return found;
  const around = new Map(
    deps.finder
      .find(queryFor(input, context, foundMax))
      .map(({ uri, explanation }) => [uri, explanation.fused]),
  );
  return found
    .map((document) => withContext(document, around.get(document.uri) ?? 0))
    .toSorted((a, b) => b.score - a.score || (a.uri < b.uri ? -1 : 1));
}

/** The context becomes one more nudge, so that `why` shows it. */
function withContext(document: FoundDocument, aroundFused: number): FoundDocument {
  const context = 1 + contextWeight * aroundFused;
  if (context === 1) return document;
  const { explanation } = document;
  const nudges = { ...explanation.nudges, context };
  return { ...document, score: document.score * context, explanation: { ...explanation, nudges } };
}

/** Rules and preferences of this project (or of everywhere) for the work that the prompt starts. */
function findPractices(deps: GatherDeps, input: PromptInput): readonly FoundDocument[] {
  const found = new Map<string, FoundDocument>();
  for (const { words } of activitiesOf(input.prompt)) {
    const query: FindQuery = {
      ...queryFor(input, `${input.prompt.slice(0, 400)}\n${words.join(" ")}`, practicesMax * 4),
      projects: input.homeProject === null ? [] : [input.homeProject],
      categories: ["preferences", "patterns"],
      statuses: ["active"],
    };
    for (const document of deps.finder.find(query))
      if (mentions(document.l0, words)) found.set(document.uri, document);
  }
  return [...found.values()]
    .toSorted((a, b) => b.score - a.score || (a.uri < b.uri ? -1 : 1))
    .slice(0, practicesMax);
}
