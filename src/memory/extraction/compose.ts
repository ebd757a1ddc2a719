/**
 * A thought in the words of a memory: one self-contained line, its context and the full turn. Words stay the
 * speaker's; only fillers go, relative dates become dates, and a missing subject is supplied from the conversation.
 * Pure.
 */
import { contentWords, valuesOf, wordsOf } from "../language/index.ts";
import { cutAtWord, cutToTokens, isoDate, oneLine } from "#kit";
import { limits } from "../limits.ts";
import { confirmationOf } from "./answer.ts";
import type { Clause } from "./clause.ts";
import { resolveDates } from "./dates.ts";
import { factPart } from "./facts.ts";
import { replaces } from "./classify.ts";
import { isTask, partsOf } from "./forms.ts";
import { person } from "./cues.ts";
import { earlierSubject } from "./subject.ts";
import { isPointer } from "./joins.ts";
import { isAboutWork } from "./scorer-reading.ts";
import { sentencesOf } from "./scorer-text.ts";
import type { Thought } from "./thoughts.ts";
import { typedEarlier, typedOf, type TurnContext } from "./turn-context.ts";

/** Evidence quotes are bounded by the specification. */
const quoteCharsMax = 300;
/** Of a prompt or an answer in L1. */
const contextCharsMax = 600;
/** Of a prompt or an answer in L2. */
const originalCharsMax = 8_000;

/** The verbatim span a thought stands on. */
export const quoteOf = (thought: Thought): string =>
  thought.core
    .map(({ sentence }) => sentence.text)
    .join(" ")
    .slice(0, quoteCharsMax)
    .trim();

/** The line of a thought, or null when its subject cannot be found. */
export function lineOf(thought: Thought, turn: TurnContext): string | null {
  const said = withoutIdle(spoken(thought));
  const subjectless = isSubjectless(thought);
  const wantsConfirmation =
    subjectless || ["change", "naming"].includes(thought.kind) || setsAnew(thought);
  const confirmed = wantsConfirmation ? confirmationOf(turn.answer, said) : null;
  const dated = (text: string): string => resolveDates(oneLine(text), turn.atMs);
  if (confirmed !== null)
    return subjectless && thought.clauses.length === 1
      ? dated(`${endless(confirmed)} ("${said}")`)
      : dated(`${endless(said)} — ${confirmed}`);
  if (!subjectless || thought.clauses.length > 1) return dated(said);
  const subject = earlierSubject(said, [turn.previousAnswer, typedEarlier(turn.previousPrompt)]);
  // What was asked for in so many words is kept even when nothing tells what it is about.
  if (subject === null) return thought.isSignal ? dated(said) : null;
  return dated(`${said} (about: ${endless(cutAtWord(subject, 160))})`);
}

/** A new value in the place of an old one: the answer may say in full what of. */
const setsAnew = (thought: Thought): boolean =>
  replaces(thought) && thought.core.some(({ masked }) => valuesOf(masked).length > 0);

const endless = (text: string): string => text.replace(/[\s.]+$/, "");

/** True when the first clause starts with a pronoun or says too little to stand alone. */
const isSubjectless = (thought: Thought): boolean => {
  const [first] = thought.clauses;
  if (first === undefined || thought.kind === "self" || thought.topic !== "") return false;
  if (thought.kind === "note") return false;
  return first.needsSubject || contentWords(first.masked).length < 2;
};

/** The thought's own words: topic label, then the clauses, each without its task and filler parts. */
function spoken(thought: Thought): string {
  const text = thought.clauses
    .filter((clause) => thought.clauses.length === 1 || !isPointer(clause))
    .map((clause) =>
      thought.core.includes(clause) ? withoutTask(clause, thought) : withoutPeriod(clause.body),
    )
    .filter((part) => part !== "")
    .reduce((before, part) => (before === "" ? part : `${before}${stop(before)} ${part}`), "");
  return thought.topic === "" || text.toLowerCase().startsWith(thought.topic.toLowerCase())
    ? text
    : `${thought.topic}: ${text}`;
}

/** "…, I always mix those up": an aside about oneself says nothing about the thing. */
const withoutIdle = (text: string): string =>
  text.replace(/(?:,|\.)\s+i (?:always|never|keep|kept|usually|often) [^,.]{3,60}$/i, "");

const stop = (text: string): string => (/[.?!:]$/.test(text) ? "" : ".");

const withoutPeriod = (text: string): string => text.replace(/[.,;:]+$/, "");

/** "fix the login, Priya owns that file" → "Priya owns that file"; "I talked to Marcus (he leads …)" → "Marcus (…)". */
function withoutTask(clause: Clause, thought: Thought): string {
  const body = withoutPeriod(clause.body);
  if (thought.kind === "person") return fromPerson(body, clause.masked);
  if (thought.kind === "note" && isTask(clause.masked)) return afterTask(body);
  if (thought.kind !== "fact" || !isTask(clause.masked)) return asked(body);
  const part = factPart(partsOf(clause.masked).slice(1).join(", "));
  const at = part === null ? -1 : body.indexOf(part);
  return at > 0 ? lead(body.slice(at)) : asked(body);
}

function fromPerson(body: string, masked: string): string {
  const at = person.exec(masked)?.index ?? 0;
  const head = body.slice(0, at);
  return at > 0 && (isTask(head) || /^(?:i|we)\b/i.test(head)) ? named(body, at) : body;
}

/** "do that, column name balance_cents" → "column name balance_cents". */
const afterTask = (body: string): string => {
  const [task = "", ...rest] = body.split(/,\s+/);
  return rest.length > 0 && wordsOf(task).length <= 3 ? rest.join(", ") : asked(body);
};

/** What follows the task, led by the name it is about: "ship it to Ines, she signs off copy" → "Ines: she signs …". */
function named(body: string, at: number): string {
  const rest = lead(body.slice(at));
  if (!/^(?:he|she|they|s?hes|theyre)\b/i.test(rest)) return rest;
  const names = [
    ...body.slice(0, at).matchAll(/(?<=\S\s)\p{Lu}\p{Ll}{1,20}(?: \p{Lu}\p{Ll}{1,20})?/gu),
  ];
  const last = names.at(-1)?.[0];
  return last === undefined ? body : `${last}: ${rest}`;
}

const lead = (text: string): string =>
  text.replace(/^(?:[\s,.;]|and\b|but\b|because\b|since\b|so\b)+/i, "");

/** "can you bump the pool to 25" → "bump the pool to 25"; "remember that X" → "X". */
const asked = (text: string): string => {
  const bare = text
    .replace(/^(?:can|could|would|will) you (?:please |pls |also |now )*/i, "")
    .replace(/^(?:please |pls |plz )+/i, "")
    .replace(/\?$/, "")
    .replace(
      /^(?:remember|keep in mind|bear in mind|don'?t forget|do not forget|make a note)(?: this| that| also)?(?::| that|,)?\s+(?=\S)(?!to\b)/i,
      "",
    );
  return bare.trim() === "" ? text : bare;
};

/** L0: at most 100 tokens, led by what it belongs to when the words do not say so. */
export function l0Of(line: string, owner: string | null): string {
  const named =
    owner === null || line.toLowerCase().includes(owner.toLowerCase()) ? line : `${owner}: ${line}`;
  return cutToTokens(named, limits.l0TokensMax);
}

/** Enough of a text for its context, whatever its white space. */
const opening = (text: string | null): string =>
  oneLine((text ?? "").slice(0, 4 * contextCharsMax));

/** Of a prompt's asides ("new laptop so bear with me"), those up to this long are left out of its context. */
const asideWordsMax = 8;

/** A prompt without its asides, as long as something of it is left. */
function withoutAsides(prompt: string): string {
  const kept = sentencesOf(prompt).filter(
    (sentence) => isAboutWork(sentence) || sentence.plain.split(" ").length > asideWordsMax,
  );
  return kept.length === 0 ? prompt : kept.map(({ text }) => text).join(" ");
}

/** L1: the statement with what surrounded it. */
export const l1Of = (parts: { readonly said: string; readonly turn: TurnContext }): string => {
  const { said, turn } = parts;
  const prompt = withoutAsides(opening(typedOf(turn)));
  const answer = opening(turn.answer);
  const lines = [
    `Said on ${isoDate(turn.atMs)}: ${said}`,
    prompt === "" || prompt === oneLine(said)
      ? ""
      : `Prompt: ${cutAtWord(prompt, contextCharsMax)}`,
    answer === "" ? "" : `Answer: ${cutAtWord(answer, contextCharsMax)}`,
  ];
  return cutToTokens(lines.filter((line) => line !== "").join("\n"), limits.l1TokensMax);
};

/** L2: the turn's prompt and answer. */
export function l2Of(turn: TurnContext): string {
  const prompt = turn.prompt === null ? "" : `Prompt:\n${cutAtWord(turn.prompt, originalCharsMax)}`;
  const answer = turn.answer === null ? "" : `Answer:\n${cutAtWord(turn.answer, originalCharsMax)}`;
  return [prompt, answer].filter((part) => part !== "").join("\n\n");
}
