/**
 * The relational profile as data: dated statements with the words they stand on, how they are kept in a memory's L2,
 * and how they read. Pure.
 */
import { sha256, tokensOf } from "#kit";
import { cleanLine } from "./clean.ts";
import { promptLimits as limits } from "./limits.ts";
import { fieldOf, lineOf, listOf, oneOf, recordOf } from "./reply.ts";

/** docs/design/extraction.md, "Relational profile", in the order of reading. */
export const profileSections = ["feedback", "dynamic", "corrections", "signals"] as const;
export type ProfileSection = (typeof profileSections)[number];

export interface RelationalStatement {
  /** Stays when the text changes. */
  readonly id: string;
  readonly section: ProfileSection;
  readonly text: string;
  /** Since when it holds in these words, `YYYY-MM-DD`. */
  readonly date: string;
  /** When a session last confirmed it, `YYYY-MM-DD`. */
  readonly confirmed: string;
  readonly sessionId: string;
  /** Words the user typed; empty for a statement the user wrote. */
  readonly quote: string;
  /** Written by the user: no model changes it. */
  readonly fixed: boolean;
  /** What it said before, oldest first. */
  readonly before: readonly { readonly text: string; readonly date: string }[];
}

/** The id of a statement that is new. */
export const statementId = (section: ProfileSection, text: string): string =>
  `s${sha256(`${section}\n${text.toLowerCase()}`, 6)}`;

/** The profile as a memory's L2. */
export const profileToText = (statements: readonly RelationalStatement[]): string =>
  statements.map((statement) => JSON.stringify(statement)).join("\n");

/** The profile of a memory's L2; lines that are no statement are left out. */
export const profileOf = (l2: string | null): readonly RelationalStatement[] =>
  (l2 ?? "").split("\n").flatMap((line) => statementOf(line) ?? []);

function statementOf(line: string): RelationalStatement | null {
  const record = recordOf(jsonOf(line));
  if (record === null) return null;
  const section = oneOf(fieldOf(record, "section"), profileSections);
  const fixed = fieldOf(record, "fixed") === true;
  const text = lineOf(record, "text", charsMaxOf(fixed));
  const date = lineOf(record, "date", 10);
  if (section === null || text === "" || date === "") return null;
  return {
    id: lineOf(record, "id", 20) || statementId(section, text),
    section,
    text,
    date,
    confirmed: lineOf(record, "confirmed", 10) || date,
    sessionId: lineOf(record, "sessionId", 200),
    quote: lineOf(record, "quote", limits.quoteCharsMax),
    fixed,
    before: listOf(record, "before").flatMap((value) => {
      const earlier = recordOf(value);
      if (earlier === null) return [];
      const said = lineOf(earlier, "text", charsMaxOf(true));
      return said === "" ? [] : [{ text: said, date: lineOf(earlier, "date", 10) }];
    }),
  };
}

/** What the user writes is kept as it is, within reason. */
const charsMaxOf = (fixed: boolean): number =>
  fixed ? limits.statementByHandCharsMax : limits.statementCharsMax;

/** JSON.parse is the only thing here that throws. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** A statement as its user has corrected it: what stood there is kept, and no session changes it again. */
export const correctedByUser = (
  statement: RelationalStatement,
  correction: { readonly text: string; readonly date: string },
): RelationalStatement => ({
  ...statement,
  text: cleanLine(correction.text, charsMaxOf(true)),
  date: correction.date,
  confirmed: correction.date,
  quote: "",
  fixed: true,
  before: [...statement.before, { text: statement.text, date: statement.date }].slice(
    -limits.statementHistoryMax,
  ),
});

const headings: Readonly<Record<ProfileSection, string>> = {
  feedback: "Feedback calibration",
  dynamic: "Working dynamic",
  corrections: "Corrections received",
  signals: "Earned signals",
};

/**
 * The profile for people and for L1: sections in order, each statement with its date and what it replaced. Whole lines
 * only, as many as there is room for: half a statement would say something else.
 */
export function renderProfile(statements: readonly RelationalStatement[]): string {
  const lines = profileSections.flatMap((section) => {
    const own = statements.filter((statement) => statement.section === section).map(lineFor);
    return own.length === 0 ? [] : [`${headings[section]}:`].concat(own);
  });
  let tokens = 0;
  const fits = (line: string): boolean => (tokens += tokensOf(`${line}\n`)) <= profileTokensMax;
  return lines.filter(fits).join("\n");
}

/** Below the bound of an overview: a user who adds a line by hand pushes none out. */
const profileTokensMax = limits.l1TokensMax * 0.9;

function lineFor({ text, date, confirmed, fixed, before }: RelationalStatement): string {
  const last = before.at(-1);
  const notes = [
    `since ${date}`,
    ...(confirmed > date ? [`seen again ${confirmed}`] : []),
    ...(fixed ? ["set by the user"] : []),
    ...(last === undefined ? [] : [`before: ${last.text} (${last.date})`]),
  ];
  return `- ${text} (${notes.join("; ")})`;
}
