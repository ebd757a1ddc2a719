/**
 * The reply's memories against the window they claim to come from. No quote, no memory; unknown category, no memory; a
 * rule, preference or profile that the user did not say, no memory. Everything else is cut to size. Pure.
 */
import { memoryCategories, type Origin } from "#domain";
import { cutToTokens, ok, oneLine, type Result } from "#kit";
import type { ExtractedCandidate, KnownMemory } from "./extraction.ts";
import { deniesAlike, isRule } from "./force.ts";
import { isCarried, isKnown, isSecondHand, sourcesOf, standingOf } from "./grounding.ts";
import type { Sources, Standing } from "./grounding.ts";
import { promptLimits as limits } from "./limits.ts";
import { fieldOf, lineOf, linesOf, numberOf, oneOf, readItems, textOf } from "./reply.ts";
import type { ReplyRecord } from "./reply.ts";
import type { WindowPart } from "./window.ts";

export interface Grounds {
  readonly parts: readonly WindowPart[];
  readonly project: string | null;
  readonly date: string;
  readonly nearest: readonly KnownMemory[];
}

/** At most twelve candidates in the order of the reply; an error when nothing in it could be read at all. */
export function candidatesOf(
  items: readonly ReplyRecord[],
  grounds: Grounds,
): Result<readonly ExtractedCandidate[], string> {
  const read = readItems(items, proposalOf, "each memory needs category, l0 and evidence_quote");
  if (!read.ok) return read;
  const sources = sourcesOf(grounds.parts, [grounds.project ?? "", grounds.date]);
  const candidates: ExtractedCandidate[] = [];
  for (const proposal of read.value) {
    if (candidates.length === limits.candidatesMax) break;
    const isTold = candidates.some(({ l0 }) => l0.toLowerCase() === proposal.l0.toLowerCase());
    const candidate = isTold ? null : candidateOf(proposal, grounds, sources);
    if (candidate !== null) candidates.push(candidate);
  }
  return ok(candidates);
}

/** What could be read of one item, before anything of it is believed. */
interface Proposal {
  readonly item: ReplyRecord;
  readonly category: ExtractedCandidate["category"];
  readonly l0: string;
  readonly quote: string;
}

function proposalOf(item: ReplyRecord): Proposal | null {
  const category = oneOf(fieldOf(item, "category"), memoryCategories);
  const l0 = cutToTokens(lineOf(item, "l0", limits.l0TokensMax * 4), limits.l0TokensMax);
  const quote = textOf(item, "evidence_quote", limits.quoteCharsMax);
  return category === null || l0 === "" || quote === "" ? null : { item, category, l0, quote };
}

function candidateOf(
  { item, category, l0, quote }: Proposal,
  grounds: Grounds,
  sources: Sources,
): ExtractedCandidate | null {
  const hint = numberOf(item, "turn", { min: 0, max: Number.MAX_SAFE_INTEGER });
  const standing = standingOf(quote, sources, hint);
  if (standing === null || !isKnown(l0, sources) || !deniesAlike(l0, standing)) return null;
  const origin = originOf(l0, standing, sources);
  if (origin !== "user" && isForUserOnly(category, l0, standing)) return null;
  return {
    category,
    uriHint: slugOf(lineOf(item, "uri_hint", limits.slugCharsMax * 2), l0),
    l0,
    l1: overviewOf(item, { origin, standing, sources }),
    l2: fullTurn(grounds.parts, standing.turn),
    importance: importanceOf(item, origin),
    tags: tagsOf(item),
    files: filesOf(item, grounds.parts),
    aliases: linesOf(item, "aliases", {
      itemsMax: limits.aliasesMax,
      charsMax: limits.aliasCharsMax,
    }).filter((alias) => !isRule(alias)),
    quote: standing.quote,
    turn: standing.turn,
    origin,
    replaces: replacedOf(item, origin, grounds.nearest),
    relation: relationOf(item, grounds.nearest),
    scope: fieldOf(item, "scope") === "everywhere" && origin === "user" ? "everywhere" : "project",
  };
}

/**
 * `user` only for a quote that the user typed and a line that their words carry. A line that goes beyond its quote is
 * the agent's; when words of it were only printed by a tool, it is the tool's.
 */
function originOf(l0: string, standing: Standing, sources: Sources): ExtractedCandidate["origin"] {
  if (standing.origin === "user" && isCarried(l0, standing, sources)) return "user";
  return standing.origin === "tool" || isSecondHand(l0, sources) ? "tool" : "agent";
}

/** Only people have preferences and profiles, and only they lay down rules. */
const isForUserOnly = (category: string, l0: string, standing: Standing): boolean =>
  category === "preferences" || category === "profile" || isRule(l0) || isRule(standing.clause);

/** Lines of the overview that hold up as the abstract does; null when none is left. */
function overviewOf(
  item: ReplyRecord,
  grounds: { readonly origin: Origin; readonly standing: Standing; readonly sources: Sources },
): string | null {
  const { origin, standing, sources } = grounds;
  const lines = textOf(item, "l1", limits.overviewCharsMax)
    .split(/\n+|(?<=[.!?])\s+(?=\p{Lu})/u)
    .map(oneLine)
    .filter((line) => line !== "" && isKnown(line, sources))
    .filter((line) => origin === "tool" || !isSecondHand(line, sources))
    .filter((line) => !isRule(line) || (origin === "user" && isCarried(line, standing, sources)));
  return lines.length === 0 ? null : lines.join("\n");
}

const importanceMax = { user: 5, agent: 4, tool: 3 } as const;

const importanceOf = (item: ReplyRecord, origin: keyof typeof importanceMax): number =>
  Math.round(numberOf(item, "importance", { min: 1, max: importanceMax[origin] }) ?? 3);

const tagsOf = (item: ReplyRecord): readonly string[] =>
  linesOf(item, "tags", { itemsMax: limits.tagsMax, charsMax: limits.tagCharsMax })
    .map((tag) => segment(tag))
    .filter((tag) => tag !== "");

/** Paths that stand in the window. */
const filesOf = (item: ReplyRecord, parts: readonly WindowPart[]): readonly string[] =>
  linesOf(item, "files", { itemsMax: limits.filesMax, charsMax: limits.pathCharsMax }).filter(
    (path) => path.length >= 3 && parts.some(({ text }) => text.includes(path)),
  );

const segment = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");

/** A name from the hint, else from the line itself. The caller's tree decides what is free. */
function slugOf(hint: string, l0: string): string {
  const slug = segment(hint.split("/").at(-1) ?? "") || segment(l0) || "memory";
  return slug.slice(0, limits.slugCharsMax).replace(/-+$/, "");
}

/** Nothing that a tool printed ends a memory, and only the user ends what the user said. */
function replacedOf(
  item: ReplyRecord,
  origin: ExtractedCandidate["origin"],
  nearest: readonly KnownMemory[],
): string | null {
  const known = nearest.find(({ uri }) => uri === fieldOf(item, "replaces"));
  if (known === undefined || origin === "tool") return null;
  return origin === "user" || known.origin !== "user" ? known.uri : null;
}

function relationOf(
  item: ReplyRecord,
  nearest: readonly KnownMemory[],
): ExtractedCandidate["relation"] {
  const kind = oneOf(fieldOf(item, "relation"), [
    "related",
    "elaborates",
    "contradicts",
    "caused_by",
  ]);
  const known = nearest.find(({ uri }) => uri === fieldOf(item, "related_to"));
  return kind === null || known === undefined ? null : { uri: known.uri, kind };
}

/** Prompt and answers; what tools printed is no memory. */
function fullTurn(parts: readonly WindowPart[], turn: number): string {
  const said = parts
    .filter((part) => part.turn === turn && part.speaker !== "tool")
    .map(({ speaker, text }) => `${speaker === "user" ? "Prompt" : "Answer"}:\n${text}`);
  return said.join("\n\n").slice(0, limits.l2CharsMax);
}
