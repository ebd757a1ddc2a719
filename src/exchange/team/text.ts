/** Texts that members give each other: checked, and cleaned of secrets, hidden letters and false names. */
import { z } from "zod";
import {
  type ProjectIdentity,
  teamCategories,
  type TeamItem,
  type TeamText,
  type PrivacyGate,
} from "#domain";
import {
  cutToTokens,
  err,
  isoDate,
  ok,
  oneLine,
  parseNow,
  type Result,
  sha256,
  stripInvisible,
} from "#kit";
import type { ExchangeContext } from "../sync/log/claim.ts";

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
export function cleanText(
  { gate }: { readonly gate: PrivacyGate },
  said: TeamText,
  nowMs: number,
): TeamText | null {
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

// Declares the context and the texts of the team.

/** A walk over what a person shares in a project: when it began, and the memories that are still to be looked at. */
interface Walk {
  readonly state: string;
  readonly nodes: number[];
}

export interface TeamContext extends ExchangeContext {
  readonly gate: PrivacyGate;
  /** By project, for as long as the daemon lives. */
  readonly looked: Map<string, Walk>;
  readonly projectOf: (cwd: string) => ProjectIdentity | null;
}

// A memory as a file of a repository: a head of a few lines, the memory in one line, and its overview. Pure.

export interface TeamFile {
  readonly author: string;
  readonly text: TeamText;
}

const list = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll(",", " ")).join(", ");

/** Lines of the head that have nothing to say are left out. */
export function renderFile({ author, text }: TeamFile): string {
  const head: readonly (readonly [string, string])[] = [
    ["continuity", "1"],
    ["author", author],
    ["category", text.category],
    ["said", isoDate(text.saidAt)],
    ["importance", `${text.importance}`],
    ["slot", text.slot ?? ""],
    ["tags", list(text.tags)],
    ["files", list(text.files)],
  ];
  const lines = head.flatMap(([name, value]) =>
    value === "" ? [] : [`${name}: ${oneLine(value)}`],
  );
  // An overview may begin with the line itself.
  const [first = "", ...others] = (text.l1 ?? "").trim().split("\n");
  const l1 = (first.trim() === text.l0 ? others.join("\n") : (text.l1 ?? "")).trim();
  const rest = l1 === "" ? "" : `\n${l1}\n`;
  return `---\n${lines.join("\n")}\n---\n\n${text.l0}\n${rest}`;
}

const importanceDefault = 3;

/** Reads what `renderFile` writes, and what people make of it. The error is a few words for a list. */
export function parseFile(source: string): Result<TeamFile, string> {
  const [, head = "", body = ""] =
    /^---\r?\n([\s\S]{0,4000}?)\r?\n---\r?\n([\s\S]*)$/.exec(source) ?? [];
  const fields = fieldsIn(head);
  if (fields.get("continuity") !== "1") return err("no memory of Continuity");
  const named = fields.get("category") ?? "";
  const category = teamCategories.find((one) => one === named);
  if (category === undefined) return err(`a category that is not shared: ${named.slice(0, 40)}`);
  const saidAt = parseNow(fields.get("said"));
  if (saidAt === null || saidAt < 0) return err("no date in `said`");
  const { l0, l1 } = wordsIn(body);
  if (l0 === "") return err("no text");
  return ok({
    author: fields.get("author") ?? "",
    text: {
      category,
      l0,
      l1,
      slot: fields.get("slot") ?? null,
      tags: listed(fields.get("tags")),
      files: listed(fields.get("files")),
      importance: importanceOf(fields.get("importance")),
      saidAt,
    },
  });
}

/** The line, and what stands below it. */
function wordsIn(body: string) {
  const [first = "", ...rest] = body.replaceAll("\r\n", "\n").trim().split("\n");
  return { l0: first.trim().replace(/^#+\s+/, ""), l1: rest.join("\n").trim() || null };
}

const fieldsIn = (head: string): ReadonlyMap<string, string> =>
  new Map(
    head.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf(":");
      return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
    }),
  );

const listed = (values = ""): readonly string[] =>
  values
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");

const importanceOf = (given = ""): number =>
  /^[1-5]$/.test(given) ? Number(given) : importanceDefault;
