/**
 * Text of others within a line that was typed: behind "the wiki says", in markup and comments. Blocks of others are
 * told by their places (places.ts). All marks are in lists/citations.txt. Pure, linear in the text.
 */
import { found, says } from "./requests.ts";
import { blank, withoutComments } from "./markup.ts";
import type { SentenceOrder } from "./orders-common.ts";
import { orderIn } from "./orders.ts";

const comment =
  /^\s*(?:<!--|-->|\/\/|\/\*|\*\/|\{\/\*|#{1,6}\s|#!|--\s|%\s|;;|"""|'''|\*\s(?!\S.*[.!?]$)\S|>|»|›)/u;

/** The text with what is cited blanked out: same length, so that positions agree. */
export const withoutCitations = (text: string): string =>
  withoutMarkup(text)
    .split("\n")
    .map((line) => (comment.test(line) ? blank(line) : withoutCited(line)))
    .join("\n");

/** Blanks what a mark in the line cites. */
function withoutCited(line: string): string {
  const at = citedFrom(line);
  if (at === null) return line;
  const behind = line.slice(at);
  if (!/[\p{L}\p{N}]/u.test(behind)) return line;
  // `Ben said "never". Remember that …`: behind the quotation, or the sentence, the user speaks again.
  const ends = quotation.exec(behind) ?? indirectSpeech.exec(behind) ?? speakerBehind(line, at);
  const length = ends?.[0].length;
  if (length === undefined) return line.slice(0, at) + blank(behind);
  return line.slice(0, at) + blank(behind.slice(0, length)) + withoutCited(behind.slice(length));
}

/** "…", says the wiki. */
const speakerBehind = (line: string, at: number): RegExpExecArray | null =>
  /["”»」'][,.]?\s[^.!?"“«„]*$/u.test(line.slice(0, at))
    ? /^[^.!?。！？:："“„«]*(?=[.!?。！？]\s*\S)/u.exec(line.slice(at))
    : null;

/** A whole quotation and the end of its sentence, with more behind it. */
const quotation =
  /^\s*[:：,，]?\s*(?:"[^"\n]+"|“[^”\n]+”|„[^“”\n]+[“”]|«[^»\n]+»|「[^」\n]+」|'[^'\n]+')(?=\s*[.!?。！？;；]+\s*\S)/u;

/** "… told me on the phone that labels hold for 28 days.": ends with its sentence, and more stands behind it. */
const indirectSpeech =
  /^[^.!?:。！？："“„«]{0,60}?(?<!\p{L})(?:that|dass|daß|que|qu['’]|что)(?!\p{L})[^.!?:。！？："“„«]*(?=[.!?]\s+\S)/iu;

/** The place at which the words of another begin; null = nowhere. */
function citedFrom(line: string): number | null {
  const said = line.trim();
  const isFound = !/[?？]$/u.test(said) || shown.test(said);
  const match = (isFound ? found.exec(said) : null) ?? says.exec(said);
  if (match === null || isOrdered(said, match.index)) return null;
  const at = match.index + match[0].length;
  if (isAdopted(said.slice(at))) return null;
  // "Kim told me. Don't save that.", "it lags like you said and …": nothing behind it is cited.
  if (/^[.!]\s/u.test(said.slice(at)) || isLikened(said, match.index, at)) {
    const next = citedFrom(said.slice(at + 1));
    return next === null ? null : line.indexOf(said) + at + 1 + next;
  }
  return line.indexOf(said) + at;
}

/** "Like you said", "wie Kim sagte": with neither a colon nor a quotation behind it. */
const isLikened = (said: string, from: number, at: number): boolean =>
  /(?<!\p{L})(?:like|as|wie|comme|como|как)(?:\s[\p{L}'’]+){0,3}\s$/iu.test(said.slice(0, from)) &&
  !/^[\s,]*[:："“„«']/u.test(said.slice(at));

/** "Ops told me that redis is on port 6390, keep that in mind": another's news that the user orders to keep. */
function isAdopted(told: string): boolean {
  const clauses = told.split(/(?<=[,.;])\s+/u);
  const at = clauses.findIndex((clause, n) => n > 0 && isKept(orderIn(clause)));
  return at > 0 && !/[:："“„«]/u.test(clauses.slice(0, at).join(" "));
}

/** An order that only points. */
const isKept = (order: SentenceOrder | null): boolean =>
  order?.isOutright === true && order.matter === null && order.before === 0;

/** "Remember that Kim said so": the order takes the citation in. */
function isOrdered(said: string, at: number): boolean {
  const from = /^.*[.!?。！？]\s+/su.exec(said.slice(0, at))?.[0].length ?? 0;
  const order = orderIn(said.slice(from));
  const start = order?.matter?.start ?? 0;
  return start > 0 && from + start <= at;
}

/** "I found this on a blog: …, does that make sense?" */
const shown = new RegExp(`(?:${found.source})(?: [\\p{L}\\p{N}'’.-]+){0,4}\\s*[:：]`, "iu");

const withoutMarkup = (text: string): string =>
  text.includes("<")
    ? withoutComments(text).replace(
        /<([a-z][\w-]{0,40})(?:\s[^<>\n]{0,200})?>[^<]{0,20000}<\/\1\s*>/giu,
        blank,
      )
    : text;
