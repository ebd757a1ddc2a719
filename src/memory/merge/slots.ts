/**
 * Subject and value of a clause: "the worker pool is 8" is about {worker, pool} and fills the slot `number` with 8. Two
 * clauses about one subject that fill a slot differently cannot both hold. Pure.
 */
import { memoised } from "#kit";
import {
  contentWords,
  identifiersOf,
  identifierShape,
  jaccard,
  sharedCount,
  valuesOf,
  wordsOf,
} from "../language/index.ts";

/** How much of their subjects two clauses share, 0 to 1; 0 when nothing. */
export function subjectShare(a: string, b: string): number {
  const values = otherNames(a, b);
  const inA = without(subjectOf(a), values);
  const inB = without(subjectOf(b), values);
  return sharedCount(inA, inB) === 0 ? 0 : jaccard(inA, inB);
}

const pronoun = /^(?:it|its|it's|they|that|this|he|she|there)\b/i;

/** Below this the two clauses only have a word in common. */
const coverageMin = 0.66;

/** Longer words around the same subject: surer than half of it, less sure than the very same. */
const coverageWeight = 0.8;

/** Share of what `older` is about that `newer` names too; 0 when it is little, or one word is all it is about. */
export function subjectCoverage(newer: string, older: string): number {
  const wanted = subjectOf(older);
  const share =
    wanted.size < 2 || pronoun.test(older)
      ? 0
      : sharedCount(wanted, subjectOf(newer)) / wanted.size;
  return share < coverageMin ? 0 : share * coverageWeight;
}

const without = (words: ReadonlySet<string>, values: readonly string[]): ReadonlySet<string> =>
  new Set([...words].filter((word) => !values.includes(word)));

/** Made-up names of one make, one in each clause: `corp-exports-a` and `corp-exports-b`. */
function otherNames(a: string, b: string): readonly string[] {
  const inA = madeNames(a).filter((name) => !b.toLowerCase().includes(name));
  const inB = madeNames(b).filter((name) => !a.toLowerCase().includes(name));
  const makes = new Set(inB.map((name) => makeOf(name)));
  const shared = inA.filter((name) => makes.has(makeOf(name)));
  const wanted = new Set(shared.map((name) => makeOf(name)));
  return [...shared, ...inB.filter((name) => wanted.has(makeOf(name)))];
}

const madeNames = (clause: string): readonly string[] =>
  identifiersOf(clause).filter(
    (token) => slotOf(token) === null && /^[a-z0-9]+(?:[-_][a-z0-9]+){2,}$/.test(token),
  );

/** First part and number of parts. */
const makeOf = (name: string): string => {
  const parts = name.split(/[-_]/);
  return `${parts[0] ?? ""}/${parts.length}`;
};

/** "the timeout" may be any timeout and does not speak of "the http client timeout"; `corp-exports` is what it is. */
export function isVaguer(a: string, b: string): boolean {
  const inA = [...subjectOf(a)];
  return inA.length === 1 && subjectOf(b).size > 1 && !/[-_./\d]/.test(inA[0] ?? "");
}

/** Verbs and words of change say nothing about the subject. */
const colourless = new Set(
  (
    "bump set put raise lower increase decrease reduce move change switch keep leave use run live sit stay say tell " +
    "start store hold take give need want allow like last late early new old current value enough maximum right left " +
    "currently today slip postpone delay schedule scheduled go set connect listen point call name decide agree pick choose drop is now " +
    "valid gate version minimum fast faster slow slower instead work happen land come cover enough bit time day hour minute second week fine ok good per job task process script repository project codebase setting configuration"
  )
    .split(" ")
    .flatMap((word) => contentWords(word)),
);

export const isColourless = (word: string): boolean => colourless.has(word);

/** Content words of a clause without its values and without words of change. */
export const subjectOf = memoised((clause: string): ReadonlySet<string> => {
  const often = [adverbial, frequency, weekday, language].flatMap(
    (kind) => clause.match(kind) ?? [],
  );
  const fillers = [...often, ...valuesOf(clause).map(({ text }) => text), ...slotTokens(clause)];
  const bare = fillers.reduce(
    (left, value) => left.replace(value.toLowerCase(), " "),
    clause.toLowerCase(),
  );
  return new Set(
    wordsOf(bare)
      .filter((word) => !/^\d/.test(word))
      .flatMap((word) => contentWords(word))
      .filter((word) => word.length > 1 && !colourless.has(word)),
  );
});

/** Identifiers that fill a place others of their shape could fill. */
const slotTokens = (clause: string): readonly string[] =>
  identifiersOf(clause).filter((token) => slotOf(token) !== null);

const slotOf = (token: string): string | null => {
  const shape = identifierShape(token);
  if (shape === "region" || shape === "channel" || shape === "host") return shape;
  return shape.startsWith("url:") ? "address" : null;
};

/**
 * The kind of value in which two clauses differ: both have one, and none in common. `isChange`: what they have in common
 * may be the condition ("over 10k"), and what is left differs.
 */
export function differingKind(a: string, b: string, isChange: boolean): string | null {
  if (otherNames(a, b).length > 0) return "name";
  const inA = slots(a);
  const inB = slots(b);
  for (const [kind, values] of inA) {
    const others = inB.get(kind);
    if (others === undefined) continue;
    const shared = sharedCount(values, others);
    if (shared === 0) return kind;
    if (isChange && values.size > shared && others.size > shared) return kind;
  }
  return null;
}

const weekday =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|workdays?|weekends?)\b/gi;
/** "standup is at 10": an hour, though nothing but the word before it says so. */
const bareHour =
  /\bat ((?:1?\d)|2[0-3])(?=$|[\s,.;)](?! ?(?:\d|%|[a-z]*s\b|m|h|px|percent|euros?|points?|rows?)))/gi;
/** "after the rebrand": when, not what. */
const adverbial = /\b(?:after|since) (?:the|that|our|this) \p{L}+/giu;
const language =
  /\b(?:english|german|french|spanish|portuguese|italian|dutch|polish|czech|swedish|danish|finnish|norwegian|turkish|greek|japanese|korean|chinese|russian|ukrainian|hindi)\b/gi;
const frequency =
  /\b(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly)\b|\bevery (?:\d{1,3} )?(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|quarters?|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/gi;

function slots(clause: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (kind: string, value: string): void =>
    void found.set(kind, (found.get(kind) ?? new Set()).add(value));
  for (const { kind, canonical } of valuesOf(clause)) add(kind, canonical);
  // "one approval" beside "two approvals" is a count; alone it would be a pronoun too often.
  if (/\bone (?!of\b|is\b|can\b|that\b)\p{L}/iu.test(clause)) add("number", "number:1");
  for (const [, hour = ""] of clause.matchAll(bareHour))
    add("time", `time:${hour.padStart(2, "0")}:00`);
  for (const [day] of clause.matchAll(weekday)) add("weekday", day.toLowerCase().replace(/s$/, ""));
  for (const [often] of clause.matchAll(frequency)) add("frequency", often.toLowerCase());
  for (const [tongue] of clause.matchAll(language)) add("language", tongue.toLowerCase());
  for (const token of identifiersOf(clause)) {
    const slot = slotOf(token);
    if (slot !== null) add(slot, token);
  }
  return found;
}
