/**
 * Decides whether a memory that an agent saves is its user's own word. The quote must be whole sentences that the user
 * typed in this turn, and the line may add nothing to them: no name, number, command, path, URL or denial, and hardly a
 * word. In doubt it is the agent's. Pure.
 */
import {
  hardSplit,
  askedCommand,
  claimsLeave,
  foldText,
  isCommand,
  isNoFirmerThan,
  isOutright,
  isQuestion,
  isRule,
  losesDenial,
  requestIn,
  splitAtConsent,
} from "#language";
import type { Answered, MemoryKind } from "#domain";
import {
  headOf,
  isMarkedQuestion,
  isWithinQuotes,
  namesMore,
  repeats,
  saysAll,
  type Stated,
  statedFor,
  nameLabel,
  type Naming,
  withoutNames,
} from "./shown.ts";
import {
  addedBy,
  allAddedBy,
  citationsIn,
  clausesOf,
  deniesMore,
  shareIn,
  takesOffer,
  withoutCitations,
  wordsIn,
} from "./assent.ts";
import { sureWords, type TypedInTurn } from "./sure-words.ts";

export interface Claim extends Naming, TypedInTurn {
  readonly line: string;
  readonly value: string | null;
  /** The user's words, as the agent gives them; null = `line` is meant. */
  readonly quote: string | null;
  /** Questions of the agent that the user answered in this turn. */
  readonly asked?: readonly Answered[];
  /** Its kind, as the agent names it. A rule never takes what the agent had offered; a yes makes only a decision. */
  readonly kind?: MemoryKind | null;
  /** Memories of the user that the claim replaces. */
  readonly known: readonly string[];
  /** Names of the days that relative dates of the quote mean. */
  readonly days?: readonly string[];
  /** Slash command whose argument counts as typed. */
  readonly command?: "remember" | "forget";
}

interface OfUser {
  readonly by: "user";
  readonly quote: string;
  /** Sentences of the quote that the line is about. */
  readonly said: string;
  /** Label in the agent's words, where the sentences do not name their subject. */
  readonly label: string | null;
  /**
   * Shown is the line, where it repeats whole sentences of the quote; the quote, where the line is firmer than it; the
   * quote with the line behind it, where the line is an order whose verbs the quote has; else both, the line as the
   * agent's wording of the quote.
   */
  readonly shown: "line" | "quote" | "glossed" | "both";
}

/** `isMore`: the quote is the user's, and the line or its value says more. */
export type Judged = OfUser | { readonly by: "agent"; readonly reason: string; isMore?: boolean };

/** Share of the line's words that the user must have typed. */
const wordsShareMin = 0.6;
/** Share of the words of a sentence that must not be a citation for it to be its user's own. */
const ownShareMin = 0.5;
/** Shorter quotes stand in a prompt by chance. */
const quoteCharsMin = 8;

/** Letters, of which one of a script without blanks counts as two. */
const breadthOf = (text: string): number =>
  text.length +
  (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0);

export function userWordOf(given: Claim): Judged {
  return wordOf({ ...given, line: given.line.replace(bullet, "") });
}

function wordOf(claim: Claim): Judged {
  const typed = sentencesTyped(claim);
  const given = argumentsOf(claim);
  const quote = (claim.quote ?? (given === null ? claim.line : null))?.trim();
  const said = quote ?? given ?? "";
  const found = partsOf(said, typed);
  const own =
    found === null ? notTyped(claim, typed) : (provesNothing(found) ?? judged(claim, found));
  if (own.by === "user") return own;
  // An agent may quote the option that a bare "2" chose.
  const words = found ?? (typed.every(isShort) ? typed : []);
  return chosenBy(words.join(" "), claim) ?? own;
}

/** Takes what the agent had offered, where the words take it; null where they do not, and for a rule. */
function chosenBy(words: string, claim: Claim): Judged | null {
  const { kind = null } = claim;
  if (words === "" || kind === null || kind === "rule") return null;
  return takesOffer(words, { ...claim, isDecision: kind === "decision" })
    ? { by: "user", quote: words, said: words, label: null, shown: "both" }
    : null;
}

const isShort = (quote: string): boolean => breadthOf(plain(quote)) < quoteCharsMin;

/** Reason why a quote is not the user's word: others wrote it. */
export const pastedReason = "pasted text counts as the agent's word";

function notTyped({ quote, prompt }: Claim, typed: readonly string[]): Judged {
  if (quote === null) return agent("without a quote");
  if (isShort(quote)) return agent(tooShort);
  const said = letters(quote);
  if (letters(typed.join(" ")).includes(said)) return agent("the quote is not whole sentences");
  return agent(
    letters(prompt ?? "").includes(said)
      ? pastedReason
      : "the user did not type the quote in this turn",
  );
}

/** Returns why a quote is not made of whole sentences typed in a prompt, whatever they say; null = it is. */
export function typedFault({
  quote,
  ...turn
}: TypedInTurn & { readonly quote: string }): string | null {
  const claim: Claim = { line: quote, value: null, quote, ...turn, known: [] };
  const typed = sentencesTyped(claim);
  if (partsOf(quote, typed) !== null) return isShort(quote) ? tooShort : null;
  const judged = notTyped(claim, typed);
  return judged.by === "agent" ? judged.reason : null;
}

const tooShort = "the quote is too short";

function provesNothing(parts: readonly string[]): Judged | null {
  if (isShort(parts.join(" "))) return agent(tooShort);
  // As it was typed: marks that make no difference here may make one to whoever reads it.
  return parts.every(isMarkedQuestion) ? agent("the quote is a question") : null;
}

function judged(claim: Claim, parts: readonly string[]): Judged {
  const { line } = claim;
  const quote = parts.join(" ");
  const fault = faultOf(claim, quote);
  const inner = fault === null ? line : withoutNames(line, quote, claim);
  if (inner === null || (fault !== null && faultOf({ ...claim, line: inner }, quote) !== null))
    return beyond(fault ?? "");
  const stated = statedFor(inner, parts);
  if (stated === null) return agent("the quote is a question");
  const found = shownOf({ ...claim, line: inner }, quote, stated);
  if (fault === null) return found;
  const isLost = found.label === null && namesMore(line, found.said, claim);
  if (isLost || isMore(inner, found, claim)) return beyond(fault);
  return { ...found, shown: isHeldWhole(claim, found.said, stated.isCut) ? "both" : "quote" };
}

/** Says a line in other words than the quote more than the quote and its label say? */
const isMore = (line: string, { shown, said }: OfUser, claim: Claim): boolean =>
  (shown === "both" || shown === "glossed") && saysAll(line, said, claim) === null;

/** Does the line say more in its brackets than a label can, all of it known to the session, and order no more? */
const isHeldWhole = (claim: Claim, said: string, isCut: boolean): boolean =>
  !isCut &&
  saysAll(claim.line, said, claim) === null &&
  addedBy(claim.line, [said, claim.held ?? "", ...(claim.projectNames ?? [])].join("\n")) ===
    null &&
  !losesDenial(claim.line, said) &&
  (!isFirmer(claim.line, said) || hasOrdersOf(claim.line, said));

const faultOf = (claim: Claim, quote: string): string | null =>
  isVerbatim(claim, quote) ? null : excessOf(claim, quote);

/** A reworded line may say something else than its quote, so it never stands alone. */
function shownOf(claim: Claim, quote: string, { parts, isCut }: Stated) {
  const { line } = claim;
  const said = parts.join(" ");
  const word = { by: "user", quote, said, label: nameLabel(line, said, claim) } as const;
  if (!isCut && partsOf(line, sentencesIn(said)) !== null)
    return { ...word, shown: "line" } as const;
  const bare = word.label === null ? null : withoutNames(line, said, claim);
  if (bare !== null && partsOf(bare, sentencesIn(said)) !== null)
    return { ...word, shown: isHeldWhole(claim, said, isCut) ? "both" : "quote" } as const;
  const all = saysAll(line, said, claim);
  const label = all?.label ?? word.label;
  const isJoined = all !== null && (parts.length > 1 || losesDenial(line, said));
  return { ...word, label, shown: shownBeside(line, said, isCut || isJoined) } as const;
}

function shownBeside(line: string, said: string, isMuddled: boolean) {
  if (isMuddled || repeats(line, said)) return "quote";
  if (!isFirmer(line, said)) return "both";
  return hasOrdersOf(line, said) ? "glossed" : "quote";
}

/** Is every order of the line one that the user gave, by its verb, and is none of them a rule or a leave of its own? */
function hasOrdersOf(line: string, said: string): boolean {
  if (!isNoFirmerThan(line, said) || claimsLeave(line) || losesDenial(line, said)) return false;
  const own = new Set(wordsIn(said));
  return clausesOf(line).every((clause) => own.has(wordsIn(clause)[0] ?? wordsIn(said)[0] ?? ""));
}

/** An order or a leave in other words than the user's never stands as theirs. */
function isFirmer(line: string, said: string): boolean {
  const head = headOf(line);
  // "Commit hook: a notice": a name that the user gave, where its first word might be a verb.
  const isName = head !== null && shareIn(head, said) === 1 && !isRule(head);
  const told = isName ? line.slice(line.indexOf(head) + head.length + 1).trim() : line;
  return isCommand(told) || claimsLeave(line) || !isNoFirmerThan(line, said);
}

/** A line that repeats the sentences letter by letter says nothing else than they do, what they cite included. */
const isVerbatim = ({ line, value }: Claim, said: string): boolean =>
  value === null &&
  letters(line) === letters(said) &&
  shareIn(said, withoutCitations(said)) >= ownShareMin;

/** Names that a reason lists. */
const addedMax = 4;

/** Says what the line has beyond the user's own words; null when it has nothing. */
function excessOf(claim: Claim, said: string): string | null {
  const { line, value, known, projectNames = [], days = [] } = claim;
  const own = withoutCitations(said);
  const told = withoutCited(line, said);
  const source = [own, ...known, ...projectNames, ...days].join("\n");
  const added = allAddedBy(`${told}\n${value ?? ""}`, source).slice(0, addedMax);
  if (added.length > 0)
    return `"${added.join('", "')}" ${added.length > 1 ? "do" : "does"} not stand in the quote`;
  if (deniesMore(told, own, known)) return "the quote denies nothing";
  if (citationsIn(said).some((cited) => letters(cited) === letters(line)))
    return "the quote only cites it";
  const isCovered = shareIn(told, source) >= wordsShareMin && shareIn(told, own) > 0;
  return isCovered ? null : "the line says more than the quote";
}

/** The line without what it cites as the quote does. */
const withoutCited = (line: string, quote: string): string =>
  line.replaceAll(/"[^"\n]+"|“[^”\n]+”/gu, (cited) =>
    letters(quote).includes(letters(cited)) ? " " : cited,
  );

/** Does the quote say that something holds everywhere, or names what it is about? Whole words. */
export const names = (quote: string, name: string): boolean =>
  ` ${plain(quote).replaceAll(/[^\p{L}\p{N}/_-]+/gu, " ")} `.includes(` ${plain(name)} `);

const agent = (reason: string): Judged => ({ by: "agent", reason });
const beyond = (reason: string): Judged => ({ by: "agent", reason, isMore: true });

/** Returns the text after `/remember`, or after the command that the claim names; null for any other prompt. */
function argumentsOf({ prompt, command = "remember" }: Claim): string | null {
  const typed = askedCommand(prompt ?? "");
  const head = new RegExp(String.raw`^/(?:continuity:)?${command}\s+`, "iu");
  return head.test(typed) ? typed.replace(head, "").trim() : null;
}

function sentencesTyped(claim: Claim): readonly string[] {
  const { prompt, asked = [] } = claim;
  const given = argumentsOf(claim);
  if (given !== null) return [given];
  const typed = withCited(sureWords(claim), prompt ?? "");
  return [typed, ...asked.map(({ answer }) => answer)].flatMap((text) => sentencesIn(text));
}

/** Marks what was typed with a colon above cited lines, which are not typed: they are all that it introduces. */
const withCited = (typed: string, prompt: string): string =>
  typed.replaceAll(/^.*[:：]$/gmu, (line) => (prompt.includes(`${line}\n>`) ? `${line}\n>` : line));

const bullet = /^\s*(?:[-*•・]|\d{1,2}[.)])\s+/u;
const stop = /[.!?…。！？:：]["'”’」』)\]）]*\s*$/u;

/**
 * Whole sentences of a typed text. What stands below a line that introduces it is somebody's text, or a list of it: only
 * the line right below makes one sentence with it. Lines that are marked as cited are all that is introduced.
 */
function sentencesIn(text: string): readonly string[] {
  const found: string[] = [];
  let above: Above = { isIntroduced: false, introduction: null, isGap: true };
  for (const line of text.split("\n")) {
    if (isTypedLine(line)) above = takeLine(line, found, above);
    else {
      const isCited = /^\s*[>|]/u.test(line) && above.introduction !== null;
      const isIntroduced = above.isIntroduced && !isCited;
      above = { isIntroduced, introduction: null, isGap: true };
    }
  }
  return found;
}

/** The lines before one. */
interface Above {
  readonly isIntroduced: boolean;
  /** The line right above, where it introduces what follows. */
  readonly introduction: string | null;
  readonly isGap: boolean;
}

const isTypedLine = (line: string): boolean => !/^\s*(?:$|>|\||```|\/\/|<!--|#)/u.test(line);

/** Adds the sentences of a line to those found. */
function takeLine(line: string, found: string[], above: Above): Above {
  const pieces = splitAtStops(line.replace(bullet, ""));
  const [first = ""] = pieces;
  const next = { isIntroduced: above.isIntroduced, introduction: null, isGap: false };
  if (above.isIntroduced) {
    const { introduction } = above;
    if (introduction !== null && !bullet.test(line)) found.push(`${introduction} ${first}`);
    return next;
  }
  if (/[:：]\s*$/u.test(line)) {
    const introduction = pieces.at(-1) ?? "";
    found.push(...pieces.slice(0, -1));
    return { ...next, isIntroduced: !isOutright(`${introduction} x`), introduction };
  }
  if (!above.isGap && isContinued(found.at(-1), line))
    found.push(`${found.pop() ?? ""} ${first}`, ...pieces.slice(1));
  else found.push(...pieces);
  return next;
}

/** A line without a stop goes on in the next one that begins in lower case. */
const isContinued = (last: string | undefined, line: string): boolean =>
  last !== undefined && !stop.test(last) && /^\s*\p{Ll}/u.test(line) && !bullet.test(line);

/** `It says "why?" and stops.` goes on behind what it cites. */
function splitAtStops(line: string): readonly string[] {
  const pieces: string[] = [];
  for (const piece of hardSplit(line)) {
    const last = pieces.at(-1) ?? "";
    const goesOn = isWithinQuotes(last) || (/[.!?…]["”’]$/u.test(last) && /^\p{Ll}/u.test(piece));
    if (goesOn) pieces[pieces.length - 1] = `${last} ${piece}`;
    else pieces.push(piece);
  }
  return pieces.flatMap(withoutRequest);
}

/** A statement with "can you …?" or "ok?" behind it is one all the same. */
function withoutRequest(piece: string): readonly string[] {
  if (!isMarkedQuestion(piece)) return [piece];
  const [statement = piece, tail] = splitAtConsent(piece) ?? [];
  if (tail !== undefined) return isQuestion(statement) ? [piece] : [statement, tail];
  const found = requestIn(piece);
  return found === null ? [piece] : [found.statement, found.request];
}

/** Letter case, spacing, marks of markup and the stop at the end make no difference. */
const plain = (text: string): string =>
  foldText(text)
    .replaceAll(/[*_`]/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .replace(/[.!。！…]+$/u, "")
    .trim();

/** The typed sentences that the quote is made of, in any number; null when it is made of anything else. */
function partsOf(quote: string, typed: readonly string[]): readonly string[] | null {
  const known = new Map(typed.map((sentence) => [plain(sentence), sentence]));
  const whole = known.get(plain(quote));
  if (whole !== undefined) return [whole];
  const parts = sentencesIn(quote).map((part) => known.get(plain(part)));
  const found = parts.filter((part) => part !== undefined);
  return found.length > 0 && found.length === parts.length && covers(quote, found) ? found : null;
}

/** The sentences of a quote that its memory shows. */
export const sentencesShown = (shown: string, quote: string): string =>
  statedFor(shown.replace(/ \(agent: [^()]*\)$/u, ""), sentencesIn(quote))?.parts.join(" ") ??
  quote;

const covers = (quote: string, parts: readonly string[]): boolean =>
  letters(quote.replaceAll(new RegExp(bullet, "gmu"), "")) === letters(parts.join(" "));
const letters = (text: string): string => plain(text).replaceAll(/[^\p{L}\p{N}]/gu, "");
