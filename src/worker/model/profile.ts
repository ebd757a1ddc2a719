/**
 * The relational profile as a memory: statements in L2, their rendering in L1, the same in one line in L0. What the
 * user changed or took out in any of them is read back, and no session changes it again. Pure.
 */
import {
  correctedByUser,
  profileOf,
  profileToText,
  renderProfile,
  statementId,
  type RelationalStatement,
} from "#prompts";
import type { MemoryNode, NodePatch } from "#domain";
import { cutToTokens, oneLine } from "#kit";
import { limits, quoteOverlap } from "#memory";
import { itemsOfLine, itemsOfOverview, itemsOfRecord, type ProfileItem } from "./profile-items.ts";

export interface Profile {
  readonly statements: readonly RelationalStatement[];
  /** Texts that the user took out; nothing like them comes back. */
  readonly struck: readonly string[];
}

/** The profile of a memory, with what its user corrected in the rendering. `date`: of the correction. */
export function profileIn(node: Pick<MemoryNode, "l1" | "l2"> | null, date: string): Profile {
  const known = { statements: profileOf(node?.l2 ?? null), struck: struckIn(node?.l2 ?? null) };
  const rendered = node?.l1 ?? "";
  const own = renderProfile(known.statements);
  if (rendered === "" || rendered === own) return known;
  return readBack(known, { before: itemsOfOverview(own), after: itemsOfOverview(rendered) }, date);
}

/** How the line begins that names the statements. */
const opening = "How the user likes to work";

/** Statements are divided by semicolons there. */
const partOfLine = (text: string): string => text.replaceAll(";", ",");

/** The three tiers of a profile. */
export const tiersOf = ({ statements, struck }: Profile) => ({
  l0: cutToTokens(
    statements.length === 0
      ? opening
      : oneLine(`${opening}: ${statements.map(({ text }) => partOfLine(text)).join("; ")}`),
    limits.l0TokensMax,
  ),
  l1: renderProfile(statements),
  l2: [profileToText(statements), ...struck.map((text) => JSON.stringify({ struck: text }))].join(
    "\n",
  ),
});

/**
 * All tiers after a change of any by hand, so that they say the same at once. The statements stay a model's wording as
 * a whole, each of the user's own marked: so neither origin nor search aliases go with the line.
 */
export function correctedTiers(
  node: Pick<MemoryNode, "l0" | "l1" | "l2">,
  { origin: _origin, aliases: _aliases, ...patch }: NodePatch,
  date: string,
): NodePatch {
  let profile = profileIn(node, date);
  const read = (before: readonly ProfileItem[], after: readonly ProfileItem[]): void => {
    profile = readBack(profile, { before, after }, date);
  };
  const isChanged = (tier: "l0" | "l1" | "l2"): boolean =>
    patch[tier] !== undefined && patch[tier] !== node[tier];
  if (isChanged("l2")) read(itemsOfRecord(node.l2), itemsOfRecord(patch.l2 ?? null));
  if (isChanged("l1")) read(itemsOfOverview(node.l1 ?? ""), itemsOfOverview(patch.l1 ?? ""));
  if (isChanged("l0")) {
    const before = itemsOfLine(node.l0, opening);
    read(before, itemsOfLine(patch.l0 ?? "", opening));
  }
  const hasChanged = isChanged("l0") || isChanged("l1") || isChanged("l2");
  return hasChanged ? { ...patch, ...tiersOf(profile) } : patch;
}

/** All that a record says or said, in single statements. */
export const statementTexts = (l2: string | null): readonly string[] => [
  ...profileOf(l2).flatMap((statement) =>
    [statement, statement.before].flat().map(({ text }) => text),
  ),
  ...struckIn(l2),
];

/** Half of the words: the same thing in another wording. */
const likenessMin = 0.5;

const isLike = (one: string, other: string): boolean => quoteOverlap(one, other) >= likenessMin;

/**
 * Without what a session added or changed into something that the user took out or replaced. What the user left
 * standing stays, however alike it is.
 */
export function withoutStruck(
  { statements, struck }: Profile,
  known: readonly RelationalStatement[],
): readonly RelationalStatement[] {
  const replaced = statements
    .filter(({ fixed }) => fixed)
    .flatMap(({ before }) => before.map(({ text }) => text));
  const gone = [...struck, ...replaced];
  return statements.flatMap((statement) => {
    const was = known.find(({ id }) => id === statement.id);
    const isOld = statement.fixed || statement.text === was?.text;
    if (isOld || !gone.some((text) => isLike(text, statement.text))) return [statement];
    return was === undefined ? [] : [was];
  });
}

function struckIn(l2: string | null): readonly string[] {
  return (l2 ?? "").split("\n").flatMap((line) => {
    const match = /^\{"struck":(".*")\}$/.exec(line)?.[1];
    if (match === undefined) return [];
    const text: unknown = JSON.parse(match);
    return typeof text === "string" ? [text] : [];
  });
}

/** Whether an item shows a statement: in its words, or in as many of them as there was room for. */
const shows =
  ({ text }: RelationalStatement) =>
  (item: ProfileItem): boolean => {
    const said = partOfLine(text);
    const shown = partOfLine(item.text);
    return shown === said || (item.isCut && said.startsWith(shown));
  };

/** A tier as it was and as the user left it. Statements that it did not show are as they were. */
function readBack(
  known: Profile,
  tier: { readonly before: readonly ProfileItem[]; readonly after: readonly ProfileItem[] },
  date: string,
): Profile {
  const fresh = tier.after.filter((item) => !known.statements.some((each) => shows(each)(item)));
  const taken = new Set<ProfileItem>();
  const statements = known.statements.flatMap((statement): readonly RelationalStatement[] => {
    const isThere = tier.after.some(shows(statement));
    if (isThere || !tier.before.some(shows(statement))) return [statement];
    const correction = fresh.find(
      (item) =>
        !taken.has(item) &&
        (item.section === null || item.section === statement.section) &&
        isLike(item.text, statement.text),
    );
    if (correction === undefined) return [];
    taken.add(correction);
    return [correctedByUser(statement, { text: correction.text, date })];
  });
  const gone = known.statements.filter(
    (statement) => !statements.some(({ id }) => id === statement.id),
  );
  const written = fresh.filter((item) => !taken.has(item)).map((item) => byHand(item, date));
  return {
    statements: [...statements, ...written],
    struck: [...known.struck, ...gone.map(({ text }) => text)].slice(-struckMax),
  };
}

const struckMax = 60;

const byHand = ({ section, text }: ProfileItem, date: string): RelationalStatement => ({
  id: statementId(section ?? "feedback", text),
  section: section ?? "feedback",
  text,
  date,
  confirmed: date,
  sessionId: "",
  quote: "",
  fixed: true,
  before: [],
});
