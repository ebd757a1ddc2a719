/**
 * The relational profile as a memory: statements in L2, their rendering in L1. What the user changed or took out in the
 * rendering is read back, and no session changes it again. Pure.
 */
import {
  correctedByUser,
  profileOf,
  profileToText,
  renderProfile,
  statementId,
  type ProfileSection,
  type RelationalStatement,
} from "#prompts";
import type { MemoryNode } from "#domain";
import { cutToTokens, oneLine } from "#kit";
import { limits, quoteOverlap } from "#memory";

export interface Profile {
  readonly statements: readonly RelationalStatement[];
  /** Texts that the user took out; nothing like them comes back. */
  readonly struck: readonly string[];
}

/** The profile of a memory, with what its user corrected in the rendering. `date`: of the correction. */
export function profileIn(node: Pick<MemoryNode, "l1" | "l2"> | null, date: string): Profile {
  const statements = profileOf(node?.l2 ?? null);
  const struck = struckIn(node?.l2 ?? null);
  const rendered = node?.l1 ?? "";
  return rendered === "" || rendered === renderProfile(statements)
    ? { statements, struck }
    : readBack({ statements, struck }, rendered, date);
}

/** The three tiers of a profile. */
export const tiersOf = ({ statements, struck }: Profile) => ({
  l0: cutToTokens(
    oneLine(`How the user likes to work: ${statements.map(({ text }) => text).join("; ")}`),
    limits.l0TokensMax,
  ),
  l1: renderProfile(statements),
  l2: [profileToText(statements), ...struck.map((text) => JSON.stringify({ struck: text }))].join(
    "\n",
  ),
});

/** Half of the words: the same thing in another wording. */
const likenessMin = 0.5;

/** Without statements that say what the user took out. */
export const withoutStruck = ({ statements, struck }: Profile): readonly RelationalStatement[] =>
  statements.filter(
    ({ fixed, text }) => fixed || !struck.some((other) => quoteOverlap(other, text) >= likenessMin),
  );

function struckIn(l2: string | null): readonly string[] {
  return (l2 ?? "").split("\n").flatMap((line) => {
    const match = /^\{"struck":(".*")\}$/.exec(line)?.[1];
    if (match === undefined) return [];
    const text: unknown = JSON.parse(match);
    return typeof text === "string" ? [text] : [];
  });
}

interface Bullet {
  readonly section: ProfileSection;
  readonly text: string;
}

const sectionOfHeading: Readonly<Record<string, ProfileSection>> = {
  feedback: "feedback",
  working: "dynamic",
  corrections: "corrections",
  earned: "signals",
};

/** Bullets of the rendering under their headings, without the notes in brackets that the rendering adds. */
function bulletsIn(rendered: string): readonly Bullet[] {
  let section: ProfileSection = "feedback";
  const bullets: Bullet[] = [];
  for (const line of rendered.split("\n")) {
    const heading = /^(\w+)[^-].*:\s*$/.exec(line)?.[1]?.toLowerCase() ?? "";
    section = sectionOfHeading[heading] ?? section;
    const text = /^[-*]\s+(.*?)(?:\s+\((?:since|set by|before)\b.*)?$/.exec(line)?.[1]?.trim();
    if (text !== undefined && text !== "") bullets.push({ section, text });
  }
  return bullets;
}

function readBack(known: Profile, rendered: string, date: string): Profile {
  const bullets = bulletsIn(rendered);
  const isThere = ({ text }: RelationalStatement): boolean =>
    bullets.some((bullet) => bullet.text === text);
  const fresh = bullets.filter(
    ({ text }) => !known.statements.some((statement) => statement.text === text),
  );
  const taken = new Set<Bullet>();
  const statements = known.statements.flatMap((statement): readonly RelationalStatement[] => {
    if (isThere(statement)) return [statement];
    const correction = fresh.find(
      (bullet) =>
        !taken.has(bullet) &&
        bullet.section === statement.section &&
        quoteOverlap(bullet.text, statement.text) >= likenessMin,
    );
    if (correction === undefined) return [];
    taken.add(correction);
    return [correctedByUser(statement, { text: correction.text, date })];
  });
  const gone = known.statements.filter(
    (statement) => !statements.some(({ id }) => id === statement.id),
  );
  const written = fresh
    .filter((bullet) => !taken.has(bullet))
    .map((bullet) => byHand(bullet, date));
  return {
    statements: [...statements, ...written],
    struck: [...known.struck, ...gone.map(({ text }) => text)].slice(-struckMax),
  };
}

const struckMax = 60;

const byHand = ({ section, text }: Bullet, date: string): RelationalStatement => ({
  id: statementId(section, text),
  section,
  text,
  date,
  confirmed: date,
  sessionId: "",
  quote: "",
  fixed: true,
  before: [],
});
