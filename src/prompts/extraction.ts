/**
 * A window to at most twelve memories. The reply proposes; what a memory may be is decided here: where its quote stands
 * says who said it, and a line that the user's words do not carry is not the user's.
 */
import { categoryRules, memoryCategories, type Origin, type Relation } from "#domain";
import { cutToTokens, oneLine } from "#kit";
import { candidatesOf } from "./candidates.ts";
import { cleanText } from "./clean.ts";
import { fenced } from "./fence.ts";
import { promptLimits as limits } from "./limits.ts";
import { templateOf, type PromptOf } from "./prompt.ts";
import { itemsOf } from "./reply.ts";
import { choice, integer, list, object, text, texts } from "./schema.ts";
import file from "./templates/extraction.md" with { type: "text" };
import {
  fittingParts,
  labelLegend,
  renderParts,
  type WindowPart,
  type WindowTurn,
} from "./window.ts";

export interface ExtractionInput {
  /** Name for people; null outside a project. */
  readonly project: string | null;
  /** Day of the window, `YYYY-MM-DD`. */
  readonly date: string;
  /** A window (see `windowsOf`); of more turns than fit, the newest are shown. */
  readonly turns: readonly WindowTurn[];
  /** Existing memories that the window may repeat or change, nearest first. */
  readonly nearest: readonly KnownMemory[];
  /** L0 of the previous checkpoint. */
  readonly previous: string | null;
}

export interface KnownMemory {
  readonly uri: string;
  readonly l0: string;
  readonly origin: Origin;
}

/** A proposed memory with its evidence; session, project key, branch and time are the caller's. */
export interface ExtractedCandidate {
  readonly category: (typeof memoryCategories)[number];
  /** `[a-z0-9-]`, never empty. */
  readonly uriHint: string;
  readonly l0: string;
  readonly l1: string | null;
  /** The turn it comes from, as the window shows it. */
  readonly l2: string;
  /** 1 to 5; what the assistant said counts at most 4, what a tool printed at most 3. */
  readonly importance: number;
  readonly tags: readonly string[];
  readonly files: readonly string[];
  readonly aliases: readonly string[];
  /** Verbatim from the window. */
  readonly quote: string;
  readonly turn: number;
  readonly origin: Extract<Origin, "user" | "agent" | "tool">;
  /** One of the addresses given as known. */
  readonly replaces: string | null;
  readonly relation: { readonly uri: string; readonly kind: Relation } | null;
  readonly scope: "project" | "everywhere";
}

const taxonomy = memoryCategories
  .map((category) => `- ${category}: ${categoryRules[category].meaning}`)
  .join("\n");

const template = templateOf(file, { legend: labelLegend, taxonomy });

/** What the reply may name a relation; `supersedes` follows from `replaces`. */
const relations = ["none", "related", "elaborates", "contradicts", "caused_by"] as const;

export const extractionPrompt: PromptOf<ExtractionInput, readonly ExtractedCandidate[]> = {
  purpose: "extraction",
  replyTokensMax: 3_000,
  timeoutMs: 90_000,
  schema: object({
    memories: list(
      object({
        category: choice(memoryCategories),
        uri_hint: text,
        l0: text,
        l1: text,
        importance: integer,
        tags: texts,
        files: texts,
        aliases: texts,
        evidence_quote: text,
        turn: integer,
        replaces: text,
        relation: choice(relations),
        related_to: text,
        scope: choice(["project", "everywhere"]),
      }),
    ),
  }),
  render: (input) => ({
    system: template.system,
    prompt: template.prompt({ data: fenced(dataOf(input)) }),
  }),
  parse: (reply, input) => {
    const items = itemsOf(reply, "memories");
    return items.ok ? candidatesOf(items.value, { ...input, parts: shownParts(input) }) : items;
  },
};

const shownParts = ({ turns }: ExtractionInput): readonly WindowPart[] =>
  fittingParts(turns, limits.windowTokensMax);

function dataOf(input: ExtractionInput): string {
  const known = knownLines(input.nearest);
  return [
    `Project: ${line(input.project ?? "none")}. Date: ${line(input.date)}.`,
    ...(input.previous === null ? [] : [`Before: ${line(input.previous)}`]),
    ...(known.length === 0 ? [] : ["Known:", ...known]),
    "Session:",
    renderParts(shownParts(input)),
  ].join("\n");
}

const line = (said: string): string => cutToTokens(oneLine(cleanText(said)), limits.l0TokensMax);

/** Known memories as `- mem://… | line`, as many as fit. */
function knownLines(nearest: readonly KnownMemory[]): readonly string[] {
  const tokensEach = Math.floor(limits.nearestTokensMax / limits.nearestMax);
  return nearest
    .slice(0, limits.nearestMax)
    .map(({ uri, l0 }) => `- ${uri} | ${cutToTokens(oneLine(cleanText(l0)), tokensEach)}`);
}
