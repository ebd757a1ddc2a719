/**
 * Decides whether a memory that an agent saves is its user's own word. The quote must be whole sentences that the user
 * typed in this turn, and the line may add nothing to them: no name, number, command, path, URL or denial, and hardly a
 * word. In doubt it is the agent's. Pure.
 */
import type { MemoryKind } from "#domain";
import { claimsLeave, isCommand, isNoFirmerThan, losesDenial } from "#language";
import {
  allAddedBy,
  citationsIn,
  deniesMore,
  hardWords,
  hasWord,
  shareIn,
  withoutQuoted,
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
import { nameLabel, type Naming, type Stated, statedFor, withoutNames } from "./shown.ts";

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
   * Shown is the line, where it repeats whole sentences of the quote; the quote, where the line is firmer than it or
   * says the same; else both, the line as the agent's wording of the quote.
   */
  readonly shown: "line" | "quote" | "both";
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
  const quote = parts.join(" ");
  const fault = excessOf(claim, quote);
  if (fault !== null) return { by: "agent", reason: fault, isMore: true };
  const stated = statedFor(claim.line, parts);
  if (stated === null) return agent("the quote is a question");
  const said = stated.parts.join(" ");
  const label = nameLabel(said, claim);
  return { by: "user", quote, said, label, shown: shownOf(claim, said, stated) };
}

/**
 * A reworded line may say something else than its quote, so it never stands alone. One that is firmer than the user,
 * loses a denial of theirs, says only what they say, or joins their sentences does not stand at all.
 */
function shownOf(claim: Claim, said: string, { parts, isCut }: Stated): OfUser["shown"] {
  const { line, projectNames = [] } = claim;
  if (!isCut && partsOf(line, sentencesIn(said)) !== null) return "line";
  if (isCut || isFirmer(line, said)) return "quote";
  if (letters(said).includes(letters(withoutNames(line, said, claim) ?? line))) return "quote";
  const label = nameLabel(said, claim) ?? "";
  const isSaid = shareIn(line, [said, label, ...projectNames].join("\n")) === 1;
  return isSaid && (parts.length > 1 || losesDenial(line, said)) ? "quote" : "both";
}

const isFirmer = (line: string, said: string): boolean =>
  isCommand(line) || claimsLeave(line) || !isNoFirmerThan(line, said);

/** Names that a reason lists. */
const addedMax = 4;

/** Says what the line has beyond the user's own words; null when it has nothing. */
function excessOf(claim: Claim, said: string): string | null {
  const { line, value, known, projectNames = [], days = [] } = claim;
  const own = withoutQuoted(said);
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

/** The sentences of a quote that its memory shows. */
export const sentencesShown = (shown: string, quote: string): string =>
  statedFor(shown.replace(/ \(agent: [^()]*\)$/u, ""), sentencesIn(quote))?.parts.join(" ") ??
  quote;

/** The quote alone, where it has the value that is new, or where the line adds no more than names of its subject. */
function quoteAlone(claim: Claim): Judged | null {
  const { quote, known, line, value } = claim;
  if (quote === null) return null;
  const word = wordOf({ ...claim, line: quote, value: null });
  if (word.by === "agent") return null;
  if (bringsValue(claim, quote)) return { ...word, shown: "quote" };
  const inner = withoutBrackets(claim);
  const bare = withoutNames(inner, quote, claim) ?? inner;
  const added = allAddedBy(`${line}\n${value ?? ""}`, [quote, ...known].join("\n"));
  if (bare === line && added.length === 0) return null;
  const own = wordOf({ ...claim, line: bare, known: [...known, word.label ?? ""] });
  return own.by === "user" ? { ...own, shown: "quote" } : null;
}

/** A rule, what holds everywhere, or takes the place of the user's words is worth less with what the agent adds. */
const withoutBrackets = ({ line, isWide, kind, known }: Claim): string =>
  isWide === true || kind === "rule" || known.length > 0
    ? line.replaceAll(/\s*\([^()]*\)/gu, "")
    : line;

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
