/**
 * Decides whether a memory that an agent saves is its user's own word. The quote must be whole sentences that the user
 * typed in this turn, and the line may add nothing to them: no name, number, command, path, URL or denial, and hardly a
 * word. In doubt it is the agent's. Pure.
 */
import type { MemoryKind } from "#domain";
import { claimsLeave, isCommand, isNoFirmerThan, isRule, losesDenial } from "#language";
import {
  allAddedBy,
  citationsIn,
  clausesOf,
  deniesMore,
  hardWords,
  hasWord,
  shareIn,
  withoutCitations,
  wordsIn,
} from "./words.ts";
import { takesOffer } from "./offer.ts";
import {
  argumentsOf,
  bullet,
  isMarkedQuestion,
  isShort,
  letters,
  partsOf,
  plain,
  sentencesIn,
  sentencesTyped,
  tooShort,
  typedFault,
  type TypedInTurn,
} from "./sentences.ts";
import {
  headOf,
  nameLabel,
  type Naming,
  repeats,
  saysAll,
  type Stated,
  statedFor,
  withoutNames,
} from "./shown.ts";

export interface Claim extends Naming, TypedInTurn {
  readonly line: string;
  readonly value: string | null;
  /** The user's words, as the agent gives them; null = `line` is meant. */
  readonly quote: string | null;
  /** Its kind, as the agent names it. A rule never takes what the agent had offered; a yes makes only a decision. */
  readonly kind?: MemoryKind | null;
  /** Memories of the user that the claim replaces. */
  readonly known: readonly string[];
  /** Names of the days that relative dates of the quote mean. */
  readonly days?: readonly string[];
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
/** Judges whose word a save is: its line's, or the quote's alone where the line adds to it. */
export function userWordOf(given: Claim): Judged {
  const claim = { ...given, line: given.line.replace(bullet, "") };
  const word = wordOf(claim);
  return withQuestion(word.by === "user" ? word : (quoteAlone(claim) ?? word), claim);
}

function wordOf(claim: Claim): Judged {
  const typed = sentencesTyped(claim);
  const given = argumentsOf(claim);
  const quote = (claim.quote ?? (given === null ? claim.line : null))?.trim();
  const said = quote ?? given ?? "";
  const found = partsOf(said, typed);
  const own = found === null ? notTyped(claim) : (provesNothing(found) ?? judged(claim, found));
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

const notTyped = ({ quote, ...turn }: Claim): Judged =>
  agent(quote === null ? "without a quote" : (typedFault(quote, turn) ?? tooShort));

function provesNothing(parts: readonly string[]): Judged | null {
  if (isShort(parts.join(" "))) return agent(tooShort);
  // As it was typed: marks that make no difference here may make one to whoever reads it.
  return parts.every(isMarkedQuestion) ? agent("the quote is a question") : null;
}

function judged(claim: Claim, parts: readonly string[]): Judged {
  const { line } = claim;
  const quote = parts.join(" ");
  const fault = excessOf(claim, quote);
  const inner = fault === null ? line : withoutNames(line, quote, claim);
  if (inner === null || (fault !== null && excessOf({ ...claim, line: inner }, quote) !== null))
    return beyond(fault ?? "");
  const stated = statedFor(inner, parts);
  if (stated === null) return agent("the quote is a question");
  const found = shownOf({ ...claim, line: inner }, quote, stated);
  if (fault === null) return found;
  return { ...found, shown: "quote" };
}

/** A reworded line may say something else than its quote, so it never stands alone. */
function shownOf(claim: Claim, quote: string, { parts, isCut }: Stated) {
  const { line } = claim;
  const said = parts.join(" ");
  const word = { by: "user", quote, said, label: nameLabel(line, said, claim) } as const;
  if (!isCut && partsOf(line, sentencesIn(said)) !== null)
    return { ...word, shown: "line" } as const;
  const bare = word.label === null ? null : withoutNames(line, said, claim);
  if (bare !== null && partsOf(bare, sentencesIn(said)) !== null)
    return { ...word, shown: "quote" } as const;
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

/** The sentences of a quote that its memory shows. */
export const sentencesShown = (shown: string, quote: string): string =>
  statedFor(shown.replace(/ \(agent: [^()]*\)$/u, ""), sentencesIn(quote))?.parts.join(" ") ??
  quote;

/**
 * The quote alone, where it has the value that is new, or where the line adds no more than the label, or brackets to what
 * would be worth less with them: a rule, what holds everywhere, what takes the place of the user's words.
 */
function quoteAlone(claim: Claim): Judged | null {
  const { quote, known, line, value, kind, isWide } = claim;
  if (quote === null) return null;
  const word = wordOf({ ...claim, line: quote, value: null });
  if (word.by === "agent") return null;
  if (bringsValue(claim, quote)) return { ...word, shown: "quote" };
  const isBare = isWide === true || kind === "rule" || known.length > 0;
  const bare = isBare ? line.replaceAll(/\s*\([^()]*\)/gu, "") : line;
  const added = allAddedBy(`${line}\n${value ?? ""}`, [quote, ...known].join("\n"));
  if (bare === line && added.length === 0) return null;
  const own = wordOf({ ...claim, line: bare, known: [...known, word.label ?? ""] });
  return own.by === "user" ? { ...own, shown: "quote" } : null;
}

/** Has the quote a name or number of the value that replaces a memory of the user, and nothing else been added? */
function bringsValue({ value, known, kind }: Claim, quote: string): boolean {
  if (value === null || known.length === 0 || kind === "rule") return false;
  const before = known.join("\n");
  // Also names and numbers within `kiln-head:9210`.
  const names = hardWords(`${value} ${value.replaceAll(":", " ")}`);
  return (
    names.some((word) => hasWord(quote, word) && !hasWord(before, word)) &&
    allAddedBy(value, `${quote}\n${before}`).length === 0
  );
}

/** An answer that stands alone says nothing without what was asked: the question is its label. */
function withQuestion(word: Judged, { asked = [] }: Claim): Judged {
  if (word.by === "agent" || word.shown !== "quote" || word.label !== null) return word;
  const question = asked.find(({ answer }) => answer.trim() === word.said.trim())?.question;
  return { ...word, label: question?.replaceAll(/[()]/gu, "") ?? null };
}
