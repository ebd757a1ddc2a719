/**
 * "Forget that", said to an agent: ends memories, undoably, where the user's typed words prove it; else the end is
 * proposed in review. Deletion for good is the user's own (forget.ts).
 */
import { documentKinds, type MemoryNode, proposalOf, shortIdOf } from "#domain";
import { cutToTokens, err, isoDate, ok, type Result } from "#kit";
import { freshLeafUri, limits } from "#memory";
import type { EndedJson } from "../forms-memory.ts";
import { endFault, proofOf } from "./agent-save.ts";
import { save } from "./edit.ts";
import type { ServiceError } from "./errors.ts";
import { exactLeavesAt } from "./memories.ts";
import { type Asking, askingSession } from "./reader.ts";
import type { Context } from "./context.ts";

interface EndAsk extends Asking {
  /** Short ids or URIs. */
  readonly names: readonly string[];
  /** The user's words, as the agent gives them. */
  readonly quote: string;
  readonly nowMs: number;
}

/** Memories that the words of one turn may end; more are proposed. */
const endsMax = 3;

/** Texts typed in the session while the agent worked, gated: they count as typed in this turn. */
export async function typedIn(context: Context, asking: Asking): Promise<readonly string[]> {
  const sessionId = askingSession(context, asking);
  if (sessionId === null) return [];
  const texts = await context.typedMeanwhile(sessionId);
  return texts.map((text) => context.gate.clean(text).text);
}

/** Ends what the quote proves, proposes the rest; all names are known, or nothing is done. */
export function end(context: Context, asked: EndAsk): Result<EndedJson, ServiceError> {
  const named = exactLeavesAt(context, asked.names);
  if (!named.ok) return named;
  const gone = named.value.findIndex(
    ({ status, category }) => status !== "active" || category === "sessions",
  );
  if (gone >= 0) return err({ type: "memory.not-found", uri: asked.names[gone] ?? "" });
  const nodes = new Map(named.value.map((node) => [node.id, node]));
  const ask = {
    ...asked,
    quote: context.gate.clean(asked.quote).text.trim(),
    sessionId: askingSession(context, asked),
  };
  return ok(context.store.transaction(() => endAll(context, [...nodes.values()], ask)));
}

function endAll(context: Context, nodes: readonly MemoryNode[], ask: EndAsk): EndedJson {
  const turn = ask.sessionId === null ? null : context.store.sessions.currentTurn(ask.sessionId);
  const by = `forget:${ask.sessionId ?? ""}:${turn?.n ?? 0}`;
  const steps = context.store.history.ofStep(by, ask.nowMs);
  let ended = new Set(steps.map(({ nodeId }) => nodeId)).size;
  const unproven = proofOf(context, ask);
  const done: EndedJson["ended"][number][] = [];
  const waiting: EndedJson["waiting"][number][] = [];
  for (const node of nodes) {
    const { uri, l0 } = node;
    const told = { id: shortIdOf(node.id), uri, l0 };
    const why =
      unproven ??
      endFault(context, { project: ask.home ?? null, sessionId: ask.sessionId }, node, ask.quote) ??
      (ended < endsMax ? null : tooMany);
    if (why !== null) {
      propose(context, node, { ...ask, why });
      waiting.push({ ...told, reason: why });
      continue;
    }
    ended += 1;
    const reason = `the user said: ${ask.quote}`;
    const cause = { atMs: ask.nowMs, action: "retract", by, reason } as const;
    save(context, node, { status: "retracted", validTo: ask.nowMs }, cause);
    done.push(told);
  }
  const texts = nodes.flatMap(({ uri, l0, l2 }) =>
    done.some((one) => one.uri === uri) ? [l0, l2 ?? ""] : [],
  );
  const words = rareWordsIn(context, texts).map(({ uri, word, held }) => ({ uri, word, held }));
  return { ended: done, waiting, words };
}

const tooMany = `the words of one turn end at most ${endsMax} memories`;

/** Inserts a memory that waits for review: accepted, it ends the other one. */
function propose(
  { store }: Context,
  node: MemoryNode,
  { why, quote, sessionId, nowMs: atMs }: EndAsk & { readonly why: string },
): void {
  const l0 = cutToTokens(`Forget: ${node.l0}`, limits.l0TokensMax);
  const page = { limit: proposalsMax };
  const waiting = store.nodes.list({ projects: null, statuses: ["pending"] }, "recent", page);
  if (waiting.length === proposalsMax || waiting.some((one) => one.l0 === l0)) return;
  const category = node.category ?? "entities";
  const slug = `forget-${shortIdOf(node.id).slice(1)}`;
  const place = { category, slug, project: node.project, projectName: null, date: isoDate(atMs) };
  store.nodes.insert(
    {
      uri: freshLeafUri(place, (taken) => store.nodes.byUri(taken)),
      category,
      project: node.project,
      l0,
      l2: null,
      origin: "agent",
      maker: "manual",
      validFrom: atMs,
      sourceSession: sessionId,
      evidence: [{ sessionId: sessionId ?? "manual", turn: null, line: null, quote }],
      status: "pending",
    },
    { atMs, action: "create", by: "agent", ...proposalOf(why, "ends", [node]) },
  );
}

/** Proposals beyond this many waiting memories are told to the agent and not stored. */
const proposalsMax = 500;

// Rare words of what is forgotten: words that hardly any other record holds. Each has an address (`mem://words/…`);
// forgetting that takes every record that holds the word.

const wordUri = /^mem:\/\/words\/([\p{L}\p{M}\p{N}]+)$/u;
/**
 * Records that may hold a rare word: so many, or this share of them. A name is no word that people use; a word with a
 * digit is hardly ever common.
 */
const rareLimits = {
  plain: { charsMin: 6, count: 3, share: 0.01 },
  name: { charsMin: 5, count: 12, share: 0.01 },
  hard: { charsMin: 4, count: 20, share: 0.02 },
} as const;
/** A home of fewer records does not know yet which words are common: there, plain ones have to be this long. */
const young = { documents: 200, charsMin: 10 } as const;
/** Offered at most. */
const wordsMax = 10;

interface RareWord {
  readonly word: string;
  readonly uri: string;
  /** Number of prompts, exchanges, memories and other indexed records that hold it. */
  readonly held: number;
}

/** The word that an address names; null when it names none, or one that is no rare word here. */
export function rareWordAt(context: Context, uri: string): string | null {
  const [, word] = wordUri.exec(uri) ?? [];
  return word === undefined || !isRare(context, word) ? null : word;
}

/** The rare words of these texts that records still hold. */
export function rareWordsIn(context: Context, texts: readonly string[]): readonly RareWord[] {
  const words = new Set(texts.flatMap(wordsOf));
  return [...words]
    .filter((word) => isRare(context, word))
    .map((word) => ({
      word,
      uri: `mem://words/${word}`,
      held: Math.max(heldBy(context, word).held, context.store.nodes.isSaid(word) ? 1 : 0),
    }))
    .filter(({ held }) => held > 0)
    .toSorted((a, b) => b.word.length - a.word.length)
    .slice(0, wordsMax);
}

/** Splits a path, a host or a name with hyphens into its parts, as the records are searched. */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u);

function isRare(context: Context, word: string): boolean {
  const sort = sortOf(context, word);
  const { charsMin, count, share } = rareLimits[sort];
  if (word.length < charsMin) return false;
  const { held, documents } = heldBy(context, word);
  if (sort === "plain" && documents < young.documents && word.length < young.charsMin) return false;
  return held <= Math.max(count, documents * share);
}

function sortOf({ models }: Context, word: string): keyof typeof rareLimits {
  if (/\d/.test(word)) return "hard";
  const bare = word.normalize("NFKD").replace(/\p{M}+/gu, "");
  return models.isWord?.(bare) === false ? "name" : "plain";
}

function heldBy(
  { store }: Context,
  word: string,
): { readonly held: number; readonly documents: number } {
  const known = documentKinds.map((kind) => store.lexical.frequencies(kind, [word], null));
  return {
    held: Math.max(...known.map(({ byTerm }) => byTerm.get(word) ?? 0)),
    documents: Math.max(...known.map(({ documents }) => documents)),
  };
}
