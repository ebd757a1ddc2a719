/**
 * Words by which people say, in eight languages, that something is meant beyond the moment. They only name a sentence
 * as a candidate; whether it is one was learnt (models/learnt/lasting.json). Pure.
 */
import { askedToKeep } from "./keep-words.ts";
import { aloneOr, cue, either, letters, listsOf } from "./lists.ts";
import text from "./lists/signals.txt" with { type: "text" };

const lists = listsOf(
  text,
  "rule",
  "rule, any place",
  "decision",
  "decision, any place",
  "everywhere",
  "everywhere, any place",
);

/** What a cue says: asked to be kept, a standing rule or preference, a decision. */
export type SignalKind = "remember" | "rule" | "decision";

interface Cue {
  readonly kind: SignalKind;
  readonly pattern: RegExp;
}

const anywhere = (list: readonly string[]): RegExp => new RegExp(either(list), "u");

/** The strongest first. */
const cues: readonly Cue[] = [
  { kind: "remember", pattern: askedToKeep.spaced },
  { kind: "remember", pattern: askedToKeep.unspaced },
  { kind: "rule", pattern: cue(lists.rule) },
  { kind: "rule", pattern: anywhere(lists["rule, any place"]) },
  { kind: "decision", pattern: cue(lists.decision) },
  { kind: "decision", pattern: anywhere(lists["decision, any place"]) },
];

/** The kind that a sentence's words point at; null when none does. Questions point at nothing. */
export function cueOf(sentence: string): SignalKind | null {
  if (/[?？]["')\]]*\s*$/u.test(sentence)) return null;
  return cues.find(({ pattern }) => pattern.test(sentence))?.kind ?? null;
}

/** Words that carry a rule beyond its project. */
const everywhere = new RegExp(
  aloneOr(letters, lists.everywhere, lists["everywhere, any place"]),
  "iu",
);

export const isEverywhere = (sentence: string): boolean => everywhere.test(sentence);
