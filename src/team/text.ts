/** Texts that members give each other: checked, and cleaned of secrets, hidden letters and false names. */
import { z } from "zod";
import { type GateDep, teamCategories, type TeamItem, type TeamText } from "#domain";
import { cutToTokens, oneLine, sha256, stripInvisible } from "#kit";

const short = z.string().max(300);

const text = z.object({
  category: z.enum(teamCategories),
  l0: z.string().min(1).max(2_000),
  l1: z.string().max(20_000).nullable(),
  slot: short.nullable(),
  tags: z.array(short).max(30),
  files: z.array(short).max(50),
  importance: z.int().min(1).max(5),
  saidAt: z.int().min(0),
});

const item = z.object({
  v: z.literal(1),
  id: z.string().regex(/^[0-9a-f]{32}$/),
  clock: z.int().min(0),
  text: text.nullable(),
  isForgotten: z.literal(true).optional(),
});

/** Null for what this version does not understand. */
export function checkedItem(value: unknown): TeamItem | null {
  const parsed = item.safeParse(value);
  return parsed.success ? (parsed.data as TeamItem) : null;
}

export const hashOf = (said: TeamText): string => sha256(JSON.stringify(said));

/** L0 and L1 of what is shared, in tokens. */
const l0TokensMax = 100;
const l1TokensMax = 2_000;

/**
 * As it may be kept, without secrets and letters that nobody sees; null when nothing may: a part of it was private.
 * `nowMs`: nobody has said anything later than that.
 */
export function cleanText({ gate }: GateDep, said: TeamText, nowMs: number): TeamText | null {
  let isPrivate = false;
  const clean = (given: string): string => {
    const gated = gate.clean(stripInvisible(given));
    isPrivate ||= gated.whollyPrivate || gated.hidden.length > 0;
    return gated.text.trim();
  };
  const l0 = cutToTokens(oneLine(clean(said.l0)), l0TokensMax);
  const l1 = said.l1 === null ? "" : cutToTokens(clean(said.l1), l1TokensMax);
  const list = (values: readonly string[]): readonly string[] =>
    values.map((value) => oneLine(clean(value))).filter((value) => value !== "");
  const cleaned: TeamText = {
    category: said.category,
    l0,
    l1: l1 === "" ? null : l1,
    slot: said.slot === null ? null : oneLine(clean(said.slot)) || null,
    tags: list(said.tags),
    files: list(said.files),
    importance: said.importance,
    saidAt: Math.min(said.saidAt, nowMs),
  };
  return isPrivate || l0 === "" ? null : cleaned;
}

const nameCharsMax = 40;
/** Words that would pass for the user or for us in a line of context. */
const taken =
  /^(?:the\s+)?(?:you|user|system|assistant|agent|tool|noted|imported|claude|continuity|rule|admin)s?$/iu;

/** A member's name as it may stand in a line: letters, digits and a few signs; never the user's or ours. */
export function cleanName(given: string): string {
  const name = stripInvisible(given.slice(0, 500))
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N} ._'@-]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, nameCharsMax)
    .trim();
  return name === "" || taken.test(name) ? `member ${name}`.trim() : name;
}

/** Two lines that say the same in the same words. */
export const sameLine = (l0: string): string =>
  oneLine(l0)
    .toLowerCase()
    .replaceAll(/[.!\s]+$/g, "");
