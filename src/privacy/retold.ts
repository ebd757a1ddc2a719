/**
 * Sentences that retell what was said in private, in another turn and perhaps in other words. A sentence goes when it
 * shares six words in a row with the private text, a rare word, a name or a number of it, a word that was private by
 * itself, or two words of it of which one is a name here. Pure: how rare a word is, others know.
 */
import type { Session } from "#domain";
import {
  aloneMark,
  isOneWord,
  isRareNumber,
  nameMark,
  namesIn,
  tellingRunsIn,
  tellingWordsIn,
} from "#kit";

/** `known`: said in the open, or a word of the trade; `plain`: of ordinary language; `rare`: anything else. */
export type Standing = "known" | "plain" | "rare";

export interface Retold {
  /** True for a word, or a run of words, of what was private. */
  readonly has: (mark: string) => boolean;
  readonly standingOf: (word: string) => Standing;
}

const sentence = /(\n+|(?<=[.!?;。！？])\s+)/u;
const mark = "[redacted:private]";

/** The text with `[redacted:private]` in the place of such sentences. */
export function withoutRetold(text: string, of: Retold): string {
  const parts = text.split(sentence);
  const kept = parts.map((part) => (retells(part, of) ? mark : part));
  return kept.every((part, at) => part === parts[at]) ? text : kept.join("");
}

function retells(part: string, { has, standingOf }: Retold): boolean {
  const shared = tellingWordsIn(part).filter(({ word }) => has(word));
  if (shared.length === 0) return false;
  const standings = shared.map((one) => {
    const standing = rarityOf(one.word, standingOf);
    const isName =
      has(aloneMark + one.word) || (/^\p{Lu}/u.test(one.shown) && has(nameMark + one.word));
    return isName && standing === "plain" ? "rare" : standing;
  });
  if (standings.includes("rare")) return true;
  const plain = new Set(
    shared.filter((_, at) => standings[at] === "plain").map(({ word }) => word),
  );
  return (
    (plain.size >= 2 && namesIn(part).some(({ word }) => plain.has(word))) ||
    tellingRunsIn(part).some(has)
  );
}

const plainCharsMin = 4;

function rarityOf(word: string, standingOf: Retold["standingOf"]): Standing {
  if (/^\p{N}+$/u.test(word))
    return isRareNumber(word) ? standingAtLeast(word, standingOf) : "known";
  if (word.length < plainCharsMin) return "known";
  return standingOf(word);
}

/** A number is in no dictionary: said in the open or not is all that counts. */
const standingAtLeast = (word: string, standingOf: Retold["standingOf"]): Standing =>
  standingOf(word) === "known" ? "known" : "rare";

/**
 * A value that ordinary text holds: a word of a language, of the trade or one said in the open, and a part of what the
 * session's project is called.
 */
export function openValueIn(
  standingOf: Retold["standingOf"],
  session: Session | null,
): (value: string) => boolean {
  const { project, projectName, cwd, branch } = session ?? {};
  const names = [project, projectName, cwd, branch].join("\n").toLowerCase();
  return (value) => names.includes(value) || (isOneWord(value) && standingOf(value) !== "rare");
}
