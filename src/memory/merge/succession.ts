/**
 * One thing in the place of another where no value and no tool tells it: a new holder of a role, a subject that moved
 * on. Only asked when the newer words announce a change. Pure.
 */
import type { Candidate, MemoryNode } from "#domain";
import { contentWords, sharedCount, valuesOf } from "../language/index.ts";
import { differingKind, isColourless } from "./slots.ts";
import { clausesOf } from "./statement.ts";

interface Succession {
  readonly reason: string;
  readonly strength: number;
}

/** How the newer statement takes the older one's place; null when it does not. */
export const successor = (newer: string, older: string): Succession | null =>
  newHolder(newer, older) ?? movedOn(newer, older);

const pronounLed =
  /^(?:(?:ok(?:ay)?|hm+|no|ah+|oh|sorry|actually|wait|please|pls|then|rather|better|and|so|well)[,. ]+){0,4}(?:it'?s|that'?s|(?:it|that|they|those) (?:is|are|should be|must be|has to be)|(?:make|put|set|bump|raise|lower|change|move|cut|push|cap|limit|extend|reduce|increase) (?:it|that|this|them|those))\b/i;

/** "make it 10" right after something was given a value of that kind: "it" is what was spoken of. */
export function resaid(candidate: Candidate, node: MemoryNode): Succession | null {
  const { sessionId, turn, quote } = candidate.evidence;
  const isBefore = node.evidence.some(
    (each) =>
      each.sessionId === sessionId && each.turn !== null && turn !== null && turn - each.turn === 1,
  );
  if (!isBefore || !pronounLed.test(quote)) return null;
  const kind = clausesOf(candidate.l0)
    .flatMap((one) => clausesOf(node.l0).map((other) => differingKind(one, other, true)))
    .find((found) => found !== null);
  return kind === undefined || kind === null
    ? null
    : { reason: `another ${kind} for what was just said`, strength: 0.58 };
}

/** A capital inside a clause is a name; at its start only before what people do or are. */
const name =
  /(?<=[\p{L}\p{N},] )\p{Lu}\p{Ll}{1,20}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}_./#@-])\p{Lu}\p{Ll}{1,20}(?= (?:is|has|had|owns|leads|took|takes|gets|holds|reviews|signs|wants|needs|handles|went|left|approves|decides|does|from|in|maintains|manages|\()\b)/gu;

const namesOf = (text: string): readonly string[] =>
  [...text.matchAll(name)]
    .map(([word]) => word.toLowerCase())
    .filter((word) => !word.endsWith("ing") && contentWords(word).length > 0);

/** "Arjun is the new PM" after "Lotte is PM"; "pager goes to Selma, Gustav …" after "Gustav has the pager". */
function newHolder(newer: string, older: string): Succession | null {
  const held = namesOf(older);
  const inOlder = new Set(contentWords(older));
  const fresh = namesOf(newer).filter((word) => !inOlder.has(contentWords(word)[0] ?? word));
  if (held.length === 0 || fresh.length === 0) return null;
  const inNewer = new Set(contentWords(newer));
  const isNamed = held.some((word) => inNewer.has(contentWords(word)[0] ?? word));
  const rest = new Set(
    contentWords(older).filter((word) => !isColourless(word) && !held.includes(word)),
  );
  const shared = sharedCount(rest, inNewer);
  const isRole = /\bnew\b|\bnow\b/i.test(newer) && rest.size > 0 && shared / rest.size >= 0.6;
  if (shared === 0 || !(isNamed || isRole)) return null;
  return { reason: `${fresh[0] ?? ""} in place of ${held[0] ?? ""}`, strength: 0.5 + shared / 20 };
}

const moved =
  /\b(?:moved?|moving|switch(?:ed)?|changed?|migrated?|ported|converted) (?:the |our |all )?((?:[\p{L}-]+ ){0,2}[\p{L}-]+) (?:over |off )?(?:to|from)\b|^(?!(?:we|i|they|you|it)\b)(?:the |our |all )?((?:[\p{L}-]+ ){0,2}[\p{L}-]+) (?:(?:has |have |is |are |was )?(?:moved|switched|migrated)(?= (?:over |on |off )?(?:to|from|off|away)\b)|(?:is|are|goes|go|lives?|runs?|uses?) now(?! \p{L}+ed\b)|now (?:is|are|goes|go|lives?|runs?|uses?)|(?:got|was|were|is|are|has been|have been) (?:wiped|deleted|renamed|replaced|removed|dead|gone|lost|reset|rotated|revoked|retired))\b/giu;
const stated =
  /^(?:the |our |all )?((?:[\p{L}-]+ ){0,2}[\p{L}-]+) (?:is|are|goes?|lives?|runs?|uses?|sits?|comes?|stays?)\b|^([\p{L}-]+(?: [\p{L}-]+)?): /iu;

/** "we moved amounts to minor units" after "amounts are numeric": the same subject has gone on. */
function movedOn(newer: string, older: string): Succession | null {
  const gone = clausesOf(newer).flatMap((clause) =>
    [...clause.matchAll(moved)].map((match) => subjectKey(match[1] ?? match[2] ?? "")),
  );
  const subjects = new Set(
    clausesOf(older)
      .filter((clause) => !isTimed(clause))
      .map((clause) => {
        const match = stated.exec(clause);
        return subjectKey(match?.[1] ?? match?.[2] ?? "");
      }),
  );
  const same = gone.find((subject) => subject !== "" && subjects.has(subject));
  return same === undefined ? null : { reason: `${same} has moved on`, strength: 0.55 };
}

/** When or how much: another attribute than where or what, and compared as a value. */
const isTimed = (clause: string): boolean =>
  valuesOf(clause).some(({ kind }) => kind !== "number" && kind !== "version");

const subjectKey = (text: string): string => [...contentWords(text)].sort().join(" ");
