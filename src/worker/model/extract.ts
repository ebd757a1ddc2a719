/**
 * Memories of one window by a model: a cheap gate when the local form found nothing, then the extractor with the nearest
 * known memories, then a merged wording for each memory that a candidate becomes part of.
 */
import {
  extractionPrompt,
  gatePrompt,
  mergePrompt,
  promptLimits,
  type ExtractedCandidate,
  type ExtractionInput,
  type KnownMemory,
  type MergedMemory,
} from "#prompts";
import type { Candidate, LlmError, MemoryNode, Session, Turn } from "#domain";
import { isoDate, ok, type Result } from "#kit";
import { aliasesOf } from "#memory";
import type { ModelDeps } from "./deps.ts";
import { applyExtraction, planLate, type Extracted, type Window } from "./extraction.ts";
import { localNodes, nearestKnown } from "./known.ts";
import { hasWords, stretchOf, type Refinement, type Refining } from "./refining.ts";
import { turnsOf, windowTurnOf } from "./window.ts";

type Asked<Value> = Promise<Result<Value, LlmError>>;

export async function extract(deps: ModelDeps, refining: Refining): Asked<Refinement> {
  const { job, session } = refining;
  const turns = turnsOf(deps.store, session.sessionId, stretchOf(job)).filter(hasWords);
  if (turns.length === 0) return ok(() => undefined);
  const locals = localNodes(deps.store, session.sessionId, turns);
  const worth = await isWorth(deps, refining, { turns, locals });
  if (!worth.ok) return worth;
  if (!worth.value) return ok(() => undefined);
  const proposed = await propose(deps, refining, { turns, locals });
  if (!proposed.ok) return proposed;
  const extracted = proposed.value.flatMap((each) => extractedOf(deps, { session, turns }, each));
  const window: Window = { job, session, turns, extracted };
  const merged = await mergedTexts(deps, refining, window);
  if (!merged.ok) return merged;
  return ok(() => applyExtraction(deps, window, merged.value));
}

interface Reading {
  readonly turns: readonly Turn[];
  /** What the local form made of these turns. */
  readonly locals: readonly MemoryNode[];
}

/** Where the local form found something, the gate's answer is known. */
async function isWorth(
  { store }: ModelDeps,
  { replies }: Refining,
  { turns, locals }: Reading,
): Asked<boolean> {
  if (locals.length > 0) return ok(true);
  const input = { turns: turns.map((turn) => windowTurnOf(store, turn)) };
  const verdict = await replies.ask("gate", gatePrompt, input);
  return verdict.ok ? ok(verdict.value.worth) : verdict;
}

async function propose(
  deps: ModelDeps,
  { replies, session }: Refining,
  reading: Reading,
): Asked<readonly ExtractedCandidate[]> {
  const { store } = deps;
  const { turns, locals } = reading;
  const isLocal = new Set(locals.map(({ uri }) => uri));
  const uris = replies.note("nearest", () =>
    nearestKnown(deps, session, turns)
      .map(({ uri }) => uri)
      .filter((uri) => !isLocal.has(uri))
      .slice(0, promptLimits.nearestMax),
  );
  const input: ExtractionInput = {
    project: session.projectName,
    date: isoDate(turns[0]?.startedAt ?? session.startedAt),
    turns: turns.map((turn) => windowTurnOf(store, turn)),
    nearest: uris.flatMap((uri) => knownMemory(store.nodes.byUri(uri))),
    previous: store.sessions.currentCheckpoint(session.sessionId)?.l0 ?? null,
  };
  return replies.ask("extract", extractionPrompt, input);
}

const knownMemory = (node: MemoryNode | null): readonly KnownMemory[] =>
  node === null ? [] : [{ uri: node.uri, l0: node.l0, origin: node.origin }];

const aliasesMax = 16;

/** What the reply proposes, with what only we know: session, project, time and where it was said. */
function extractedOf(
  { store }: ModelDeps,
  { session, turns }: { readonly session: Session; readonly turns: readonly Turn[] },
  proposed: ExtractedCandidate,
): readonly Extracted[] {
  const turn = turns.find(({ n }) => n === proposed.turn);
  if (turn === undefined) return [];
  const isGlobal = proposed.scope === "everywhere" || proposed.category === "profile";
  const { uriHint, l0, l1, l2, importance, tags, files, origin, category } = proposed;
  const candidate: Candidate = {
    category,
    uriHint,
    l0,
    l1,
    l2,
    importance,
    tags,
    files,
    // A model's words for what somebody may search, and the words of the trade for what the line says.
    aliases: [...new Set([...proposed.aliases, ...aliasesOf(l0)])].slice(0, aliasesMax),
    origin,
    project: isGlobal ? null : session.project,
    maker: "extract",
    evidence: {
      sessionId: session.sessionId,
      turn: turn.n,
      line: turn.line,
      quote: proposed.quote,
    },
    branch: session.branch,
    atMs: turn.startedAt,
    replaces: proposed.replaces !== null,
  };
  const replaced = proposed.replaces === null ? null : store.nodes.byUri(proposed.replaces);
  return [{ candidate, replaced, relation: proposed.relation }];
}

/** The last attempt goes without what could not be had. */
const attemptsMax = 3;

/** By node: the wording of both versions. A merge that cannot be had is one in which the newer statement leads. */
async function mergedTexts(
  deps: ModelDeps,
  { job, replies }: Refining,
  window: Window,
): Asked<ReadonlyMap<number, MergedMemory>> {
  const merged = new Map<number, MergedMemory>();
  for (const { candidate, node } of planLate(deps, window)) {
    if (merged.has(node.id)) continue;
    const reply = await replies.askOnce(`merge ${node.id}`, mergePrompt, {
      older: { ...textsOf(node), date: isoDate(node.updatedAt) },
      newer: { ...textsOf(candidate), date: isoDate(candidate.atMs) },
    });
    if (reply.ok) merged.set(node.id, reply.value);
    else if (!isFinal(reply.error) && job.attempt < attemptsMax) return reply;
  }
  return ok(merged);
}

const textsOf = ({ l0, l1, l2 }: Pick<MemoryNode, "l0" | "l1" | "l2">) => ({ l0, l1, l2 });

/** Another try would bring the same: there is no merged wording. */
const isFinal = ({ type }: LlmError): boolean =>
  type === "llm.unreadable" ||
  type === "llm.refused" ||
  type === "llm.budget" ||
  type === "llm.none";
