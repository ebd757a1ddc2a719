/**
 * What a prompt asks to be kept, without a model: things to remember, standing rules, decisions, in the user's own
 * typed sentences. Humble on purpose: a sentence needs both words that say so and a learnt likelihood, unless it begins
 * with the order to keep it. Pure.
 */
import { type Candidate, type Category } from "#domain";
import { cutAtWord, cutToTokens, oneLine, unspacedLetters } from "#kit";
import {
  type SignalKind,
  cueOf,
  isEverywhere,
  isOutright,
  saysOnlySecrets,
  sentencesOf,
  withoutIntroducedLists,
} from "#language";
import lastingFile from "../../../models/learnt/lasting.json" with { type: "json" };
import { aliasesOf } from "../extraction/aliases.ts";
import { spokenIn } from "../extraction/slash.ts";
import { typedOf, type TurnContext } from "../extraction/turn-context.ts";
import { limits } from "../limits.ts";
import { slugOf } from "../tree/slug.ts";
import { classifierOf } from "./learnt.ts";
import { traitsOf } from "./traits.ts";

const lastingOf = classifierOf(lastingFile);

/** From this likelihood on a sentence with such words is kept; what is asked for in so many words needs less. */
const keptFrom: Readonly<Record<SignalKind, number>> = { remember: 0.2, rule: 0.4, decision: 0.4 };
/** docs/design/extraction.md, "Without a model". */
const signalsMax = 5;
/** Fewer words are no line; a language without spaces has no words to count. */
const wordsMin = 4;
const lettersMin = 8;
const charsMax = 320;

const categoryOf: Readonly<Record<SignalKind, Category>> = {
  remember: "entities",
  rule: "preferences",
  decision: "events",
};
const importanceOf: Readonly<Record<SignalKind, number>> = { remember: 5, rule: 4, decision: 4 };

/** Memories of a prompt, in the order they were said; the same turn gives the same ones. */
export function signalsOf(turn: TurnContext): readonly Candidate[] {
  const typed = withoutIntroducedLists(spokenIn(typedOf(turn)));
  if (typed === "") return [];
  const sentences = sentencesOf(typed);
  return sentences
    .flatMap((sentence, index) => {
      const text = oneLine(sentence.text);
      const kind = cueOf(text.replace(quotation, " "));
      if (kind === null || sentence.isQuestion || !isWhole(text)) return [];
      // "For later: the API key" above a key that was taken out.
      const next = lineBelow(turn.prompt ?? "", sentence.text);
      if (saysOnlySecrets(`${matterOf(text)}\n${next}`)) return [];
      const place = { by: "user" as const, index, count: sentences.length, answersQuestion: false };
      return isOutright(text) || lastingOf(traitsOf(text, place)) >= keptFrom[kind]
        ? [candidateOf(turn, text, kind)]
        : [];
    })
    .slice(0, signalsMax);
}

/** What stands in quotation marks is said by another, or a name. */
const quotation = /`[^`]+`|"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」/gu;

/** The line of the prompt below the one that a sentence ends in; the reader may have left it out. */
function lineBelow(prompt: string, sentence: string): string {
  const at = prompt.indexOf(sentence);
  return at === -1
    ? ""
    : (prompt
        .slice(at + sentence.length)
        .trimStart()
        .split("\n", 1)[0] ?? "");
}

/** What stands behind the order to keep it. */
function matterOf(text: string): string {
  const [order = ""] = /^[^:：]{1,60}[:：]\s*(?=\S)/u.exec(text) ?? [];
  return cueOf(order) === "remember" ? text.slice(order.length) : text;
}

function isWhole(text: string): boolean {
  if (text.length > charsMax || /\[redacted:/u.test(text)) return false;
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’_.-]*/gu)?.length ?? 0;
  const letters = unspacedLetters(text);
  if (letters >= lettersMin) return true;
  const matter = matterOf(text).split(" ").length;
  return words >= wordsMin && matter > 1;
}

/** "also remember that X" is X, and so is "look at this, and remember that X". */
const lead =
  /^(?:(?:and|but|so|ok(?:ay)?|btw|by the way|thanks|oh),? )?(?:also,? )?(?:(?:please )?(?:(?:have a )?look at|see|check|read) (?:this|that|these|it),? and )?(?:please |pls )?(?:remember|keep in mind|bear in mind|note|don'?t forget|do not forget|make a note)(?: that|:|,)?\s+(?=\S)(?!to\b|this\b|it\b)/iu;

function candidateOf(turn: TurnContext, text: string, kind: SignalKind): Candidate {
  const line = text.replace(lead, "");
  return {
    category: categoryOf[kind],
    uriHint: slugOf(line),
    l0: cutToTokens(line, limits.l0TokensMax),
    l1: null,
    l2: null,
    importance: importanceOf[kind],
    tags: [kind],
    files: [],
    aliases: aliasesOf(line),
    project: isEverywhere(text) ? null : turn.project,
    origin: "user",
    maker: "signal",
    evidence: {
      sessionId: turn.sessionId,
      turn: turn.turn,
      line: null,
      quote: cutAtWord(text, limits.quoteCharsMax),
    },
    branch: turn.branch,
    atMs: turn.atMs,
  };
}
