/**
 * Reads what the decision about a prompt needs: memories and exchanges that may help, how likely each does, and what was
 * said later about the same. Read-only; the only part of prompt injection that touches a port.
 */
import {
  isExchange,
  type DocumentKind,
  type Embedder,
  type FindQuery,
  type FoundDocument,
  type LexicalIndex,
  type MemoryNode,
} from "#domain";
import { readPrompt } from "#reader";
import { rarityIn } from "../exchange/rarity.ts";
import { compared, type Said } from "../exchange/succession.ts";
import { readWords } from "../retrieval/words.ts";
import { candidateOf, type Asked } from "./candidate.ts";
import { latersOf } from "./later.ts";
import { isTerse } from "./prompt-signs.ts";
import { byLikelihood, promptFeatures, promptLikelihood, thresholds } from "./rank.ts";
import type { PromptCandidate, PromptEvidence, PromptInput } from "./prompt-types.ts";

export interface GatherDeps {
  readonly finder: { readonly find: (query: FindQuery) => readonly FoundDocument[] };
  readonly lexical: LexicalIndex;
  readonly embedder: Embedder;
}

/** Looked at closely, of each kind. */
const foundMax = 16;
/** Candidates for which it is looked up what came later: those that may be shown. */
const followedMax = 3;
/** A prompt longer than this says at its beginning what it is about. */
const promptCharsMax = 1_200;

const nothing = { candidates: [], features: [], likelihood: 0 };

/** Evidence for one prompt. The same store and input give the same evidence. */
export function gatherPrompt(deps: GatherDeps, input: PromptInput): PromptEvidence {
  const { kind, typed } = readPrompt(input.prompt, input.previousAnswer);
  const text = typed.slice(0, promptCharsMax);
  // What will be silent anyway costs no search.
  if (!input.inject.prompt || kind !== "typed" || isTerse(text)) return { ...input, ...nothing };
  const asked = ask(deps, text);
  const projects = [
    ...(input.homeProject === null ? [] : [input.homeProject]),
    ...namedProjects(input, text),
  ];
  const look = (kind: DocumentKind): readonly FoundDocument[] =>
    deps.finder.find({
      text,
      kinds: [kind],
      projects,
      homeProject: input.homeProject,
      statuses: ["active"],
      limit: foundMax,
      sort: "relevance",
      nowMs: input.nowMs,
    });
  const found = [...look("memory"), ...look("exchange")].flatMap(
    (document): readonly PromptCandidate[] =>
      document.node === null ||
      !isOffered(document.node, input) ||
      isAboutAnother(document.node, input, projects)
        ? []
        : [candidateOf({ ...document, node: document.node }, asked, input)],
  );
  if (found.length === 0) return { ...input, ...nothing };
  const ranked = found.toSorted(byLikelihood);
  const features = promptFeatures(text, ranked);
  const likelihood = promptLikelihood(features);
  // What nobody will see needs no second look.
  const isWanted = likelihood >= thresholds[ranked[0]?.kind ?? "exchange"].high;
  const later = {
    projects,
    sessionId: input.sessionId,
    nowMs: input.nowMs,
    found: ranked.map(({ document }) => document.node),
  };
  const candidates = ranked.map((one, at) =>
    isWanted && at < followedMax
      ? Object.assign({}, one, { laters: latersOf(deps, one, later) })
      : one,
  );
  return { ...input, candidates, features, likelihood };
}

/** The words of the prompt, each with its weight here, and its vector. */
function ask({ embedder, lexical }: GatherDeps, text: string): Asked {
  const whole: Said = { by: "user", text, ...compared(text, embedder.embed) };
  return {
    ...whole,
    words: readWords(text).content.length,
    embed: embedder.embed,
    idf: rarityIn(lexical, whole.stems),
  };
}

/** What was said here about another project, by its name, belongs to that one. */
const isAboutAnother = (
  node: MemoryNode,
  input: PromptInput,
  projects: readonly string[],
): boolean =>
  isExchange(node.uri) &&
  namedProjects(input, node.l1 ?? node.l0).some((key) => !projects.includes(key));

/** Not what the session has before it, nor what is over. */
const isOffered = (node: MemoryNode, { sessionId, nowMs }: PromptInput): boolean =>
  node.status === "active" &&
  node.sourceSession !== sessionId &&
  (node.expiresAt === null || node.expiresAt > nowMs) &&
  (node.validTo === null || node.validTo > nowMs);

const nameCharsMin = 3;

/** Other projects that the prompt names in so many letters. */
function namedProjects(
  { projects, homeProject }: Pick<PromptInput, "projects" | "homeProject">,
  text: string,
): readonly string[] {
  const lower = ` ${text.toLowerCase()} `;
  return projects
    .filter(({ key, name }) => {
      const wanted = name.toLowerCase();
      if (key === homeProject || wanted.length < nameCharsMin) return false;
      const at = lower.indexOf(wanted);
      return (
        at > 0 && !/[\p{L}\p{N}]/u.test(`${lower[at - 1] ?? ""}${lower[at + wanted.length] ?? ""}`)
      );
    })
    .map(({ key }) => key);
}
