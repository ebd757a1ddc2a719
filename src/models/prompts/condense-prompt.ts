/**
 * A prompt as the record shows it: what was typed, with a mark where something was pasted or quoted. Marks stand in
 * ‹›: they are no decision, or a choice. Pure.
 */
import { cutAtWord, oneLine } from "#kit";
import type { readPrompt } from "#language";

type Read = ReturnType<typeof readPrompt>;

/** Returns what to show in about so many characters; null for a prompt that was not typed. */
export function shownPrompt(prompt: string, read: Read): ((charsMax: number) => string) | null {
  const hasPaste = read.pastedChars >= pasteShownCharsMin && read.kind !== "client";
  const inPlace = hasPaste ? withPastes(prompt, read.typed) : null;
  const marks = [
    ...(read.quoted === "" ? [] : [`‹quotes the agent: ${cutAtWord(oneLine(read.quoted), 220)}›`]),
    ...(hasPaste && inPlace === null ? [pasteMark(prompt, read)] : []),
  ];
  if (read.typed === "" && marks.length === 0) return null;
  const shown = [inPlace ?? read.typed, ...marks].filter((part) => part !== "").join(" ");
  return (charsMax) => bothEnds(shown, charsMax);
}

const pasteShownCharsMin = 40;
/** Characters shown of a paste by itself, and of one among typed lines. */
const pasteTitleCharsMax = { alone: 300, inPlace: 80 } as const;

/** When nothing else was typed, the beginning of the paste says what the turn is about. */
function pasteMark(prompt: string, { typed, quoted, pastedChars }: Read): string {
  const isAlone = typed === "" && quoted === "";
  return markOf(pastedChars, isAlone ? prompt : "", pasteTitleCharsMax.alone);
}

function markOf(chars: number, begin: string, charsMax: number): string {
  const title = oneLine(begin.slice(0, 2 * charsMax)).replace(/[‹›]/g, "");
  return `‹pasted ${chars} characters${title === "" ? "" : `: ${cutAtWord(title, charsMax)}`}›`;
}

/**
 * The typed lines with a mark in the place of what was pasted between them: a sentence that goes on below a paste makes
 * no sense without it. Null where no paste stands between or above typed lines.
 */
function withPastes(prompt: string, typed: string): string | null {
  const left = typed.split("\n").filter((line) => line.trim() !== "");
  const out: string[] = [];
  let pasted: string[] = [];
  let marks = 0;
  for (const line of prompt.split("\n")) {
    if (line.trim() !== left[0]?.trim()) {
      if (line.trim() !== "") pasted.push(line.trim());
      else if (pasted.length === 0) out.push("");
      continue;
    }
    out.push(...markIn(pasted), line.trimEnd());
    marks += pasted.length > 0 ? 1 : 0;
    pasted = [];
    left.shift();
  }
  return left.length > 0 || marks === 0 ? null : [...out, ...markIn(pasted)].join("\n").trim();
}

function markIn(pasted: readonly string[]): readonly string[] {
  const text = pasted.join("\n");
  return text.length < pasteShownCharsMin
    ? []
    : [markOf(text.length, text, pasteTitleCharsMax.inPlace)];
}

/** The wish stands first, the point that matters most to the writer last. */
const bothEnds = (text: string, charsMax: number): string => {
  const lined = text.replace(/\n\s*\n/g, "\n").replace(/\n/g, "\n  ");
  if (lined.length <= charsMax) return lined;
  const tail = lined.slice(lined.length - Math.floor(charsMax * 0.4)).replace(/^\S*\s/, "");
  return `${cutAtWord(lined, Math.floor(charsMax * 0.6))} … ${tail}`;
};
