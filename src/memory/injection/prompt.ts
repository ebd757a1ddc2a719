/**
 * What a prompt is given: nothing most of the time, else at most five memories in one labelled block. A pure function of
 * the evidence: the same store, prompt and time give the same bytes.
 */
import type { FoundDocument, MemoryNode } from "#domain";
import { msPerDay, tokensOf } from "#kit";
import { decidePrompt } from "./gate.ts";
import { memoryLine, wrapPrompt } from "./lines.ts";
import { readWords } from "../retrieval/words.ts";
import { identifiersIn } from "./prompt-features.ts";
import type {
  ComposedPrompt,
  MemoryReason,
  PromptDecision,
  PromptEvidence,
} from "./prompt-types.ts";

/** 40-retrieval: "at most five memories near the best hit, or an exact identifier hit". */
const memoriesMax = 5;
/** Memories of other projects are rarely meant: they must be this much nearer than what home has. */
const foreignShare = 0.9;
/** … unless the prompt names their project. */
const namedFactor = 1.35;

interface Considered {
  readonly document: FoundDocument;
  readonly node: MemoryNode;
  readonly why: string;
  readonly taken: boolean;
  readonly rank: number;
}

/** Text for the prompt (empty = silence), the nodes it shows, and why. */
export function composePrompt(
  evidence: PromptEvidence,
  decision: PromptDecision = decidePrompt(evidence),
): ComposedPrompt {
  const considered = consider(evidence, decision);
  const { text, shown } = render(
    considered.filter(({ taken }) => taken),
    evidence,
  );
  const settled = settle(decision, considered, shown);
  const ids = new Set(shown.map(({ node }) => node.id));
  return {
    text,
    nodeIds: shown.map(({ node }) => node.id),
    tokens: tokensOf(text),
    decision: settled,
    reasons: {
      decision: settled,
      memories: considered.map((one) => toReason(one, ids.has(one.node.id))),
    },
  };
}

/** The gate may say yes and still nothing be left to say. */
function settle(
  decision: PromptDecision,
  considered: readonly Considered[],
  shown: readonly Considered[],
): PromptDecision {
  if (decision.verdict === "silence" || shown.length > 0) return decision;
  const cause = considered.some(({ why }) => why === "seen") ? "all-seen" : "floor";
  return { ...decision, verdict: "silence", cause };
}

/** Every memory that was looked at, in order of presentation, with the reason why it is taken or left. */
function consider(evidence: PromptEvidence, decision: PromptDecision): readonly Considered[] {
  const documents = distinct([...evidence.found, ...evidence.practices]);
  const scale = scaleOf(evidence, documents);
  const judged = documents.flatMap((document): readonly Considered[] => {
    const { node } = document;
    if (node === null) return [];
    const why = whyOf(document, scale);
    const rank = rankOf(document, node, evidence.nowMs);
    return [{ document, node, why, rank, taken: takingReasons.has(why) }];
  });
  const best = judged
    .filter(({ taken }) => taken)
    .toSorted((a, b) => claimOf(b, scale) - claimOf(a, scale) || byUri(a, b))
    .slice(0, memoriesMax);
  const rest = judged
    .filter((one) => !best.includes(one))
    .map(({ document, node, rank, why, taken }) => ({
      document,
      node,
      rank,
      why: taken ? "beyond-five" : why,
      taken: false,
    }));
  const shown = decision.verdict === "inject" ? best : best.map(leave);
  return [...shown, ...rest].toSorted((a, b) => b.rank - a.rank || byUri(a, b));
}

const leave = (one: Considered): Considered => ({ ...one, taken: false });

/** Who gets one of the five places: the best match and what is named outright before importance and age decide. */
const claimOf = ({ document, why, rank }: Considered, { best }: Scale): number =>
  rank + (why === "identifier" || document.explanation.fused >= best ? certain : 0);

/** More than any rank: fused is at most 1, importance/3 below 2. */
const certain = 2;

const byUri = (a: Considered, b: Considered): number =>
  a.document.uri < b.document.uri ? -1 : a.document.uri > b.document.uri ? 1 : 0;

const takingReasons: ReadonlySet<string> = new Set(["near", "identifier", "practice"]);

/** What the found are measured against. */
interface Scale {
  readonly evidence: PromptEvidence;
  readonly practices: ReadonlySet<string>;
  readonly best: number;
  readonly bestHome: number;
  /** Words of the prompt, for telling whether it names another project. */
  readonly words: ReadonlySet<string>;
}

function scaleOf(evidence: PromptEvidence, documents: readonly FoundDocument[]): Scale {
  const current = documents.filter((one) => isCurrent(one, evidence.nowMs));
  const bestOf = (some: readonly FoundDocument[]): number =>
    Math.max(0, ...some.map((one) => one.explanation.fused));
  return {
    evidence,
    practices: new Set(evidence.practices.map(({ uri }) => uri)),
    best: bestOf(current),
    bestHome: bestOf(current.filter((one) => !isForeign(one, evidence))),
    words: new Set(readWords(evidence.prompt).plain),
  };
}

/** Reads from the top: what forbids, then what recommends. */
function whyOf(document: FoundDocument, scale: Scale): string {
  const { evidence, best, bestHome } = scale;
  const { fused } = document.explanation;
  if (!isCurrent(document, evidence.nowMs)) return "not-current";
  if (document.node !== null && evidence.seen.has(document.node.id)) return "seen";
  if (isForeign(document, evidence) && fused * foreignFactor(document, scale) < bestHome)
    return "other-project";
  if (identifiersIn(evidence.prompt, document.l0)) return "identifier";
  if (scale.practices.has(document.uri)) return "practice";
  const { fusedFloor, nearShare } = evidence.calibration;
  if (fused < fusedFloor) return "floor";
  return fused >= best * nearShare ? "near" : "far";
}

/** What no longer holds, is not approved yet or has expired never appears as current. */
const isCurrent = ({ node, supersededBy }: FoundDocument, nowMs: number): boolean =>
  node !== null &&
  supersededBy === null &&
  node.status === "active" &&
  (node.expiresAt === null || node.expiresAt > nowMs) &&
  (node.validTo === null || node.validTo > nowMs);

const isForeign = (document: FoundDocument, evidence: PromptEvidence): boolean =>
  document.project !== null && document.project !== evidence.homeProject;

/**
 * "The billing team's bucket" asked in the frontend means the billing project: named projects compete as if at home.
 * A project is known by its key (`github.com/acme/billing-api`), a hashed one by nothing.
 */
function foreignFactor({ project }: FoundDocument, { words, evidence }: Scale): number {
  const home = new Set(projectWords(evidence.homeProject ?? ""));
  const isNamed = projectWords(project ?? "").some((word) => words.has(word) && !home.has(word));
  return isNamed ? namedFactor : foreignShare;
}

const projectWords = (key: string): readonly string[] =>
  key.startsWith("dir:")
    ? []
    : readWords(key.slice(key.lastIndexOf("/") + 1)).plain.filter((word) => word.length > 2);

/** 40-retrieval: above the floor, order by fused × (importance/3) × recency; the last prompts settle near-ties. */
function rankOf({ explanation }: FoundDocument, node: MemoryNode, nowMs: number): number {
  const fused = explanation.fused * (explanation.nudges["context"] ?? 1);
  return fused * (node.importance / 3) * recencyOf(node, nowMs);
}

/** 1 to 7 days, then linear to 0.5 at 90 days, by last writing or use. */
export function recencyOf(
  node: Pick<MemoryNode, "updatedAt" | "lastAccess">,
  nowMs: number,
): number {
  const days = (nowMs - Math.max(node.updatedAt, node.lastAccess ?? 0)) / msPerDay;
  return Math.min(1, Math.max(0.5, 1 - (0.5 * (days - 7)) / (90 - 7)));
}

function render(
  taken: readonly Considered[],
  evidence: PromptEvidence,
): { readonly text: string; readonly shown: readonly Considered[] } {
  const lines: string[] = [];
  const shown: Considered[] = [];
  let text = "";
  for (const one of taken) {
    if (shown.length >= memoriesMax) break;
    const wider = wrapPrompt([...lines, memoryLine(one.node, evidence.nowMs)]);
    if (tokensOf(wider) > evidence.inject.promptTokens) continue;
    lines.push(memoryLine(one.node, evidence.nowMs));
    shown.push(one);
    text = wider;
  }
  return { text, shown };
}

const distinct = (documents: readonly FoundDocument[]): readonly FoundDocument[] => [
  ...new Map(documents.map((one) => [one.uri, one])).values(),
];

const toReason = ({ document, why, rank }: Considered, taken: boolean): MemoryReason => ({
  uri: document.uri,
  taken,
  why,
  score: rank,
  fused: document.explanation.fused,
  lexical: document.explanation.lexical,
  similarity: document.explanation.similarity,
});
