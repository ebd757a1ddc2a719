/**
 * The reasons of an injection, as recorded or as they would be, in a person's form: which memory each line tells, and
 * what else was considered. Reads what is there; decides nothing.
 */
import { type Json, recordOf } from "#kit";
import { idOfShort, type MemoryNode } from "#domain";
import { stemsOf } from "#memory";
import type { ConsideredJson, ExplainedJson } from "../forms-given.ts";
import type { JsonValue } from "../forms-session.ts";
import type { Context, ContextPreview } from "./context.ts";

/** `prompt` is what it was given for; empty at a start. */
export function explain(context: Context, given: ContextPreview, prompt: string): ExplainedJson {
  const { store } = context;
  const { text, tokens, reasons } = given;
  const shown = store.nodes.byIds(given.nodeIds);
  const considered = consideredIn(reasons);
  return {
    text,
    tokens,
    lines: linesOf(context, text, { shown, considered }),
    decision: decisionIn(reasons),
    considered: considered.map((one) => {
      const node = store.nodes.byUri(one.uri);
      const l0 = node?.l0 ?? null;
      const words = l0 === null ? [] : sharedWords(prompt, l0);
      return Object.assign({}, one, { l0, words, status: node?.status ?? null });
    }),
  };
}

const sharedWordsMax = 6;
const promptCharsMax = 2_000;

/** Words of a prompt that a text has too, in any form, as they were typed. */
function sharedWords(prompt: string, text: string): readonly string[] {
  const stems = stemsOf(text);
  const words = prompt.slice(0, promptCharsMax).match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const shared = words.filter((word) => [...stemsOf(word)].some((stem) => stems.has(stem)));
  return [...new Set(shared)].slice(0, sharedWordsMax);
}

type Considered = Omit<ConsideredJson, "l0" | "status" | "words">;

const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map(recordOf) : [];
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

function decisionIn(reasons: JsonValue): ExplainedJson["decision"] {
  const { verdict, cause, probability, threshold } = recordOf(recordOf(reasons)["decision"]);
  if (verdict !== "inject" && verdict !== "silence") return null;
  return {
    verdict,
    cause: textOf(cause),
    probability: numberOf(probability) ?? 0,
    threshold: numberOf(threshold) ?? 0,
  };
}

/** Candidates of a prompt, or the lines of a start. A record of an older form, or one that cannot be read, has none. */
export function consideredIn(reasons: JsonValue): readonly Considered[] {
  const told = listOf(reasons).map(({ section, uri, tokens }): Considered => ({
    uri: textOf(uri),
    taken: true,
    why: textOf(section),
    score: null,
    similarity: null,
    tokens: numberOf(tokens),
  }));
  const weighed = listOf(recordOf(reasons)["memories"]).map(
    ({ uri, taken, why, score, similarity }): Considered => ({
      uri: textOf(uri),
      taken: taken === true,
      why: textOf(why),
      score: numberOf(score),
      similarity: numberOf(similarity),
      tokens: null,
    }),
  );
  return [...told, ...weighed].filter(({ uri }) => uri !== "");
}

interface Known {
  readonly shown: readonly MemoryNode[];
  readonly considered: readonly Considered[];
}

/** `(3 Apr, #4k)` at the end of a line. */
const shortId = /, (#[0-9a-z]{1,10})\)$/;
const heading = /^## (.*)$/;
/** Lines of the block itself. */
const frame = /^<\/?[a-z-]+(?: for="[a-z]+")?>$/;

/** Most lines end in the short id of what they tell; the others stand in the order that was recorded with them. */
function linesOf({ store }: Context, text: string, nodes: Known): ExplainedJson["lines"] {
  const lines = (text === "" ? [] : text.split("\n")).filter((line) => !frame.test(line));
  let section = "";
  const read = lines.map((line) => {
    section = heading.exec(line)?.[1] ?? section;
    const id = idOfShort(shortId.exec(line)?.[1] ?? "");
    return { text: line, section, id, isQuote: /^(?:- |  )\S/.test(line) };
  });
  const ids = read.flatMap(({ id }) => id ?? []);
  const uris = new Map(store.nodes.headsByIds(ids).map((node) => [node.id, node.uri]));
  const rest = restOf(read, nodes);
  return read.map((line) => {
    const uri = line.id === null ? (rest.get(line) ?? null) : (uris.get(line.id) ?? null);
    const node = uri === null ? null : store.nodes.byUri(uri);
    return { text: line.text, uri, pinned: node?.pinned === true, status: node?.status ?? null };
  });
}

interface ReadLine {
  readonly text: string;
  readonly section: string;
  readonly id: number | null;
  readonly isQuote: boolean;
}

/** Lines without a short id, with what they tell: by order, and only where the count is right. */
function restOf(read: readonly ReadLine[], { shown, considered }: Known) {
  const found = new Map<ReadLine, string>();
  const quotes = Map.groupBy(
    read.filter(({ isQuote }) => isQuote),
    ({ section }) => section,
  );
  for (const [section, lines] of quotes) {
    const named = new Set(lines.map(({ id }) => id));
    // A prompt has no headings; its thread stands in the order of time.
    const told =
      section === ""
        ? shown
            .filter(({ id }) => !named.has(id))
            .toSorted((a, b) => (a.validFrom ?? a.updatedAt) - (b.validFrom ?? b.updatedAt))
        : considered.filter(({ why }) => why === section);
    const open = section === "" ? lines.filter(({ id }) => id === null) : lines;
    if (told.length !== open.length) continue;
    for (const [at, line] of open.entries()) found.set(line, told[at]?.uri ?? "");
  }
  return found;
}
