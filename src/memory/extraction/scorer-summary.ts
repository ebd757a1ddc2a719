/**
 * One line that tells a turn to a reader who was not there, and a few keywords.
 *
 * Pure. Puts words next to each other; invents none.
 */
import { cutAtWord, cutToTokens, oneLine } from "#kit";
import { type PlainSentence, plainSentencesOf } from "#language";
import { limits } from "../limits.ts";
import type { Claim } from "./scorer-judging.ts";
import { typedOf, type TurnContext } from "./turn-context.ts";

/** Characters of a request or an outcome within a summary: both fit into 100 tokens together. */
const partCharsMax = 180;

/**
 * `<project>: <what was asked or said> → <what came of it>`, at most 100 tokens. The request gives an answer's "it"
 * its meaning; when the user's own sentence carries the claim, that leads.
 */
export function summaryOf(turn: TurnContext, claim: Claim): string {
  const ask = claim.speaker === "user" && claim.sentence !== null ? claim.sentence : askOf(turn);
  const outcome = outcomeOf(turn, claim);
  const parts = [ask, outcome === ask ? null : outcome]
    .filter((part) => part !== null)
    .map((part) => cutAtWord(part.text, partCharsMax));
  const name = turn.projectName === null ? "" : `${turn.projectName}: `;
  return cutToTokens(oneLine(`${name}${parts.join(" → ")}`), limits.l0TokensMax);
}

const askOf = (turn: TurnContext): PlainSentence | null =>
  plainSentencesOf(typedOf(turn))[0] ?? null;

/** The assistant's sentence that carries the claim, else its first one that says more than a nod. */
function outcomeOf(turn: TurnContext, claim: Claim): PlainSentence | null {
  if (claim.speaker === "assistant" && claim.sentence !== null) return claim.sentence;
  return plainSentencesOf(turn.answer).find((sentence) => !isNod(sentence)) ?? null;
}

const isNod = ({ plain }: PlainSentence): boolean =>
  plain.split(" ").length <= 3 ||
  /^(?:yes|no|ok|okay|sure|right|agreed|understood|done|fixed|exactly|great|good|thanks|you're right|sorry|noted|got it)[\s.,:!]*$/.test(
    plain,
  );

/** Keywords: the claim's type, file stems, and identifiers from what was said. Lower case, at most six. */
export function tagsOf(turn: TurnContext, claim: Claim): readonly string[] {
  const named = [claim.sentence?.text ?? "", turn.prompt ?? ""].join(" ");
  const identifiers =
    named.match(/`[^`\s]{2,40}`|\b[A-Z][A-Za-z]*[A-Z]\w*\b|\b[a-z]+[A-Z]\w+\b|\b\w+_\w+\b/g) ?? [];
  const files = turn.tools.flatMap((use) => use.files).map(stemOf);
  const tags = [...files, ...identifiers.map((name) => name.replaceAll("`", ""))]
    .map((tag) => tag.toLowerCase())
    .filter((tag) => /^[\w./:@-]{2,40}$/.test(tag));
  return [...new Set(claim.type === "routine" ? tags : [claim.type, ...tags])].slice(
    0,
    limits.scorerTagsMax,
  );
}

/** `src/auth/reset.test.py` → `reset`. */
const stemOf = (path: string): string =>
  (path.split(/[/\\]/).at(-1) ?? path).replace(/\.[^/]*$/, "");
