/**
 * Forget: gone for good, everywhere (docs/design/memory.md, "History"). The store removes rows, revisions, indexes and
 * every record that repeats the text; here it is decided which texts that means, and what lies beside the store is
 * cleaned.
 */
import { documentKinds, type MemoryNode } from "#domain";
import { ok, type Result } from "#kit";
import type { ForgottenJson, SimilarJson } from "../forms-memory.ts";
import { stemsOf } from "#memory";
import type { ServiceError } from "./errors.ts";
import { exactLeavesAt } from "./memories.ts";
import { sessionAt } from "./scope.ts";
import { rareWordAt, rareWordsIn } from "./agent-forget.ts";
import type { Context } from "./context.ts";

/** Forgets leaves and records of sessions by URI, all or none. */
export function forget(
  context: Context,
  uris: readonly string[],
  nowMs: number,
): Result<ForgottenJson, ServiceError> {
  const nodes = new Map<number, MemoryNode>();
  const records: ForgottenRecord[] = [];
  for (const uri of uris) {
    const word = rareWordAt(context, uri);
    const record =
      word === null ? recordAt(context, uri) : { uri, line: "", texts: [], words: [word] };
    if (record !== null) {
      records.push(record);
      continue;
    }
    const found = exactLeavesAt(context, [uri]);
    if (!found.ok) return found;
    for (const leaf of found.value)
      for (const node of withParts(context, leaf)) nodes.set(node.id, node);
  }
  return ok(forgetAll(context, [...nodes.values()], records, nowMs));
}

/** The parts that a memory was merged from say the same, and must not come back when the whole is gone. */
function withParts({ store }: Context, node: MemoryNode): readonly MemoryNode[] {
  const found = new Map([[node.id, node]]);
  // Grows while it is walked: parts may have parts.
  for (const { mergedFrom } of found.values())
    for (const part of store.nodes.byIds(mergedFrom))
      if (part.status !== "active") found.set(part.id, part);
  return [...found.values()];
}

/** A prompt or a checkpoint: its texts go, wherever they stand. */
interface ForgottenRecord {
  readonly uri: string;
  readonly line: string;
  readonly texts: readonly string[];
  /** Records that hold one of these go as well. */
  readonly words: readonly string[];
}

const recordUri = /^mem:\/\/sessions\/([\w.-]+)\/(turns|checkpoints)\/(\d{1,9})$/;

/** Null when the URI is none of a record that is there. File names are left out: they say nothing. */
function recordAt(context: Context, uri: string): ForgottenRecord | null {
  const [, session = "", kind, number] = recordUri.exec(uri) ?? [];
  const found = kind === undefined ? null : sessionAt(context, session);
  if (found?.ok !== true) return null;
  const { sessionId } = found.value;
  const texts =
    kind === "checkpoints"
      ? summaryTexts(context, sessionId, Number(number))
      : promptTexts(context, sessionId, Number(number));
  if (texts === null) return null;
  const telling = texts.filter((text) => kind === "turns" || text.trim().length >= toldCharsMin);
  return { uri, line: texts[0] ?? "", texts: telling, words: [] };
}

function promptTexts({ store }: Context, sessionId: string, n: number): readonly string[] | null {
  const prompt = store.sessions.turn(sessionId, n)?.prompt ?? null;
  return prompt === null ? null : [prompt];
}

function summaryTexts({ store }: Context, sessionId: string, n: number): readonly string[] | null {
  const one = store.sessions.checkpoints(sessionId).find((checkpoint) => checkpoint.n === n);
  if (one === undefined) return null;
  const { l0, request, investigated, learned, completed, nextSteps, notes, currentTask } = one;
  return [l0, request, investigated, learned, completed, nextSteps, notes, currentTask];
}

/** Records go only when they say something; "done" stands in others as well. */
const toldCharsMin = 12;

/** Takes them out of the store and of what lies beside it. */
function forgetAll(
  context: Context,
  nodes: readonly MemoryNode[],
  records: readonly ForgottenRecord[],
  nowMs: number,
): ForgottenJson {
  const { store, scrubFiles, vectors } = context;
  const ids = nodes.map(({ id }) => id);
  const ofNodes = nodes.flatMap((node) => textsOf(context, node));
  const texts = [...new Set([...ofNodes, ...records.flatMap((record) => record.texts)])];
  const words = records.flatMap((record) => record.words);
  const { redacted } = store.nodes.forget(ids, texts, nowMs, words);
  for (const id of ids) vectors.remove(id);
  scrubFiles([...texts, ...words]);
  const lines = [...nodes.map(({ l0 }) => l0), ...records.map(({ line }) => line)];
  return {
    forgotten: [...nodes, ...records].map(({ uri }) => uri),
    purged: purge(context),
    redacted,
    similar: [
      ...similarTo(context, lines, nowMs),
      ...rareWordsIn(context, ofNodes).map(
        ({ uri, word, held }) =>
          ({ uri, kind: "word", l0: `every record with "${word}" (${held} or more)` }) as const,
      ),
    ],
    notes: context.noteFilesHolding(texts),
  };
}

/** Every wording the memory ever had, and the words it was learnt from. */
function textsOf({ store }: Context, node: MemoryNode): readonly string[] {
  const versions = [node, ...store.nodes.revisions(node.id)];
  const tiers = versions.flatMap(({ l0, l1, l2 }) => [l0, l1, l2]);
  return [...tiers, ...node.evidence.map(({ quote }) => quote)]
    .map((text) => text?.trim() ?? "")
    .filter((text) => text !== "");
}

/** Another program that reads the file can hold up cleaning it; what was forgotten is gone all the same. */
export function purge({ store }: Context): boolean {
  try {
    store.admin.purge();
    return true;
  } catch {
    return false; // The caller is told; the next purge cleans the file as a whole.
  }
}

// Finds what still says nearly the same after something was forgotten: other wordings, which repeat
// none of its sentences and so stayed. Found by the words that tell it apart; the user decides about
// them.

/** Named at most. */
const similarMax = 10;
/** The number of search results that are compared. */
const foundMax = 30;
/** Share of the telling words, by weight, that a text has to have. */
const shareMin = 0.6;
/** One word alone is a coincidence unless it is all there was. */
const sharedMin = 2;
/** A word that stands in more than this share of what is recorded tells nothing. */
const commonFrom = 0.2;

/** Memories and records, of any project, that share most of the telling words of one of these lines. */
function similarTo(
  context: Context,
  lines: readonly string[],
  nowMs: number,
): readonly SimilarJson[] {
  const found = new Map<string, SimilarJson>();
  for (const line of lines) {
    const weights = weightsOf(context, line);
    if (weights.size === 0) continue;
    const documents = context.finder.find({
      text: line,
      kinds: documentKinds,
      limit: foundMax,
      sort: "relevance",
      projects: null,
      homeProject: null,
      nowMs,
    });
    for (const { uri, kind, l0, node } of documents)
      if (isSimilar(weights, `${l0} ${node?.l1 ?? ""}`)) found.set(uri, { uri, kind, l0 });
  }
  return [...found.values()].slice(0, similarMax);
}

/** `weightsOf` gives each word of a line a weight: the rarer, the more. */
function weightsOf({ store }: Context, line: string): ReadonlyMap<string, number> {
  const stems = [...stemsOf(line)];
  const known = documentKinds.map((kind) => store.lexical.frequencies(kind, stems, null));
  const documents = known.reduce((sum, one) => sum + one.documents, 0);
  return new Map(
    stems.flatMap((stem): readonly [string, number][] => {
      const count = known.reduce((sum, one) => sum + (one.byTerm.get(stem) ?? 0), 0);
      const isCommon = documents >= 1 / commonFrom && count / documents > commonFrom;
      return isCommon ? [] : [[stem, Math.log(2 + documents / (1 + count))]];
    }),
  );
}

function isSimilar(weights: ReadonlyMap<string, number>, text: string): boolean {
  const theirs = stemsOf(text);
  const shared = [...weights].filter(([stem]) => theirs.has(stem));
  const sum = (some: readonly (readonly [string, number])[]): number =>
    some.reduce((total, [, weight]) => total + weight, 0);
  const enough = Math.min(sharedMin, weights.size);
  return shared.length >= enough && sum(shared) / sum([...weights]) >= shareMin;
}
