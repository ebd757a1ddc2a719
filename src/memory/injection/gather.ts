/**
 * Reads what the decision about a prompt needs: memories and exchanges that may help, and how near each is. Read-only;
 * the only part of prompt injection that touches a port.
 */
import { anchorsIn, headlessTag, isExchange, type Anchor, type MemoryNode } from "#domain";
import {
  identifiersOf,
  readPrompt,
  isCommand,
  isQuestion,
  namesMemory,
  orderIn,
  stemsOf,
} from "#language";
import { anchorMark, isHere } from "../anchors/content.ts";
import { nameNearness } from "./name-nearness.ts";
import { rarityIn } from "../exchange/traits.ts";
import {
  type Asked,
  byScore,
  candidateOf,
  exactFirst,
  isRule,
  isAtWork,
  isRuleNode,
  judge,
} from "./candidate.ts";
import { decidePrompt, isTerse, wordingOf } from "./gate.ts";
import { exactnessOf } from "../retrieval/exact.ts";
import { isWordForm } from "../retrieval/names.ts";
import { namedProjects, projectLabel, type IsRare } from "./projects.ts";
import type { GatherDeps, PromptCandidate, PromptEvidence, PromptInput } from "./prompt-types.ts";
import { backgroundOf, withQuotation } from "./quotation.ts";

/** Looked at closely. */
const foundMax = 16;
/** A prompt longer than this says at its beginning what it is about. */
const promptCharsMax = 1_200;

const nothing = { asks: false, candidates: [], wording: 0, found: 0 };

/** Evidence for one prompt. The same store and input give the same evidence. */
export function gatherPrompt(deps: GatherDeps, input: PromptInput): PromptEvidence {
  const { kind, typed } = readPrompt(input.prompt, input.previousAnswer);
  const text = typed.slice(0, promptCharsMax);
  // A prompt that will be silent anyway costs no search.
  if (!input.inject.prompt || kind !== "typed" || isTerse(text)) return { ...input, ...nothing };
  const asks = isQuestion(text) || namesMemory(text);
  const asked = ask(deps, text);
  const projects = [
    ...(input.homeProject === null ? [] : [input.homeProject]),
    ...namedProjects(input, text, rareNames(deps)),
  ];
  const foreign = foreignIn(input);
  const whole = isAtWork(input) ? wholeOf(deps, input) : null;
  const found = deps.finder.find({
    text,
    kinds: ["memory", "exchange"],
    projects,
    homeProject: input.homeProject,
    statuses: ["active"],
    limit: foundMax,
    sort: "relevance",
    nowMs: input.nowMs,
  });
  const offered = found
    .flatMap((document): PromptCandidate | readonly PromptCandidate[] => {
      const { node } = document;
      if (node === null || !isOffered(node, input)) return [];
      // At work quotations are noise (docs/adr/0058).
      if (whole !== null && isExchange(node.uri)) return [];
      const anchors = node.anchors.length === 0 ? [] : anchorsOf(deps, node, input);
      if (!isHere(anchors, { branch: input.branch, isSeen: isSeenHere(deps, node, input) }))
        return [];
      const measured = candidateOf({ ...document, node }, asked, input);
      const candidate = foreign(
        whole === null ? measured : { ...measured, nameNearness: nameNearness(node, whole) },
      );
      if (candidate === null) return [];
      return anchors.length === 0
        ? candidate
        : Object.assign(candidate, { anchored: anchorMark(anchors) });
    })
    .filter((one) => one.kind === "memory" || saysMore(one, asked))
    .filter((one) => asks || asked.stems.size > shortOrderMax || isRule(one))
    .filter((one) => asked.stems.size > 1 || sharesWord(one, asked));
  const exact = exactnessOf(text, deps.embedder.isWord);
  const named = exact === null ? null : { asks, exact, stems: asked.stems };
  const near = exactFirst(named, withPairs(deps, offered));
  if (near.length === 0) return { ...input, ...nothing };
  const wording = wordingOf(text);
  const asking = {
    asks: wording,
    background: backgroundOf(found),
    identifiers: identifiersOf(text),
  };
  const ranked = near.toSorted(byScore).map((one) => withQuotation(one, asking));
  const seen = withLoaded(deps, input, ranked);
  const evidence = { ...input, seen, asks, candidates: ranked, wording, found: found.length };
  // Candidates that will not be shown need no second look.
  if (decidePrompt(evidence).cause !== "wanted") return evidence;
  return { ...evidence, candidates: inForce(deps, evidence, foreign) };
}

/** Marks orders that may be replaced or replacing; one whose newer one was found stands in that one's line. */
function withPairs(
  { pairsOf }: GatherDeps,
  candidates: readonly PromptCandidate[],
): readonly PromptCandidate[] {
  const memories = candidates.filter(({ kind }) => kind === "memory");
  if (pairsOf === undefined || memories.length === 0) return candidates;
  const pairs = pairsOf(memories.map(({ document }) => document.node.id));
  return candidates.flatMap((one) => {
    const { id } = one.document.node;
    if (one.kind === "memory" && pairs.isFolded(id)) return [];
    const mark = one.kind === "memory" ? pairs.markOf(id) : "";
    return [mark === "" ? one : { ...one, anchored: `${one.anchored ?? ""}${mark}` }];
  });
}

/**
 * `withLoaded` adds what the session was given, what its last answer says, and the instruction
 * files that its client loads.
 */
function withLoaded(
  { notesHere }: GatherDeps,
  { seen, previousAnswer }: PromptInput,
  found: readonly PromptCandidate[],
): ReadonlySet<number> {
  const said = stemsOf(previousAnswer ?? "");
  const isLoaded = (node: MemoryNode, text: string): boolean =>
    isSaidIn(said, text) ||
    (notesHere !== undefined && notesHere({ id: node.id, l0: text }) !== null);
  const loaded = found.filter(({ document: { node }, kind, sentences }) =>
    kind === "memory"
      ? isLoaded(node, node.l0)
      : sentences.every(({ by, text }) => by === "asked" || isLoaded(node, text)),
  );
  return new Set([...seen, ...loaded.map(({ document }) => document.node.id)]);
}

/** Share of its words from which the last answer has said it. */
const saidFrom = 0.6;

function isSaidIn(said: ReadonlySet<string>, text: string): boolean {
  const stems = [...stemsOf(text)];
  const again = stems.filter((stem) => said.has(stem)).length;
  return again > 0 && again >= saidFrom * stems.length;
}

/** Code of another project is told as it was seen there last. */
const anchorsOf = (deps: GatherDeps, node: MemoryNode, input: PromptInput): readonly Anchor[] =>
  isSeenHere(deps, node, input) ? (deps.anchorsHere?.(node) ?? []) : anchorsIn(node.anchors);

const isSeenHere = (
  { anchorsHere }: GatherDeps,
  { project }: MemoryNode,
  { homeProject }: PromptInput,
): boolean => anchorsHere !== undefined && project === homeProject;

/** The candidates; in the place of an exchange whose memories were replaced since stands what holds now. */
function inForce(
  { replacedIn }: GatherDeps,
  evidence: PromptEvidence,
  foreign: Foreign,
): readonly PromptCandidate[] {
  const done = new Set<MemoryNode>();
  let { candidates } = evidence;
  for (;;) {
    // One that must not be told makes room for the next.
    const next = judge({ ...evidence, candidates }).find(
      ({ candidate: { document }, why }) => why === "near" && !done.has(document.node),
    )?.candidate;
    if (next === undefined) return candidates;
    const { document, sentences } = next;
    done.add(document.node);
    const said = sentences.flatMap(({ by, text }) => (by === "asked" ? [] : [text]));
    const replaced = replacedIn?.(document.node, said) ?? [];
    if (replaced.length === 0) continue;
    const heirs = new Map(
      replaced.flatMap(({ by }) => (by !== null && isOffered(by, evidence) ? [[by.id, by]] : [])),
    );
    const told = [...heirs.values()].flatMap(
      (node) =>
        foreign({
          ...next,
          kind: "memory",
          document: { ...document, node, uri: node.uri, l0: node.l0 },
          sentences: [{ by: "user", text: node.l0 }],
        }) ?? [],
    );
    candidates = candidates.flatMap((one) => (one === next ? told : [one]));
  }
}

/** An order of so few words is touched by rules alone: "install lodash", "run the tests". */
const shortOrderMax = 2;

/** Words beyond the prompt's own from which on an exchange tells something: "which port? → Done." does not. */
const moreStemsMin = 2;

/** "what a week": one word is near to much, and is met by few. */
const sharesWord = ({ document: { node } }: PromptCandidate, { stems }: Asked): boolean =>
  [...stemsOf([node.l0, node.l1, ...node.aliases].join(" "))].some((stem) => stems.has(stem));

/** A question of the user says nothing. */
function saysMore({ sentences }: PromptCandidate, { stems }: Asked): boolean {
  const told = sentences.filter(({ by, text }) => by === "agent" || !/[?？]$/u.test(text));
  const said = stemsOf(told.map(({ text }) => text).join(" "));
  const more = [...said].filter((stem) => !stems.has(stem));
  return more.length >= moreStemsMin || more.some((stem) => /\p{N}/u.test(stem));
}

/** The words of the prompt, each with its weight here, and its vector. */
function ask({ embedder, lexical }: GatherDeps, text: string): Asked {
  const stems = stemsOf(text);
  return {
    stems,
    vector: embedder.embed(text),
    embed: embedder.embed,
    idf: rarityIn(lexical, stems),
  };
}

/** Embeds a prompt with what was pasted into it, which says what the prompt is about. */
const wholeOf = (
  { embedder }: GatherDeps,
  { prompt }: PromptInput,
): Pick<Asked, "vector" | "embed"> => ({
  vector: embedder.embed(prompt.slice(0, promptCharsMax)),
  embed: embedder.embed,
});

/** Documents of other projects that may hold the name of one: they name it too. */
const elsewhereMax = 3;

/**
 * A name that is no word, nor a form of one, and that this machine's other projects hardly ever say. Where nobody can
 * tell words from names, none is rare.
 */
function rareNames({ embedder, lexical }: GatherDeps): IsRare {
  const known = new Map<string, boolean>();
  return ({ key, name }) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const word = name.toLowerCase();
    const isRare =
      embedder.isWord !== undefined &&
      !isWordForm(word, embedder.isWord) &&
      (["exchange", "memory"] as const).every((kind) => {
        const count = (projects: readonly string[] | null): number =>
          lexical.frequencies(kind, [word], projects).byTerm.get(word) ?? 0;
        return count(null) - count([key]) <= elsewhereMax;
      });
    known.set(key, isRare);
    return isRare;
  };
}

/** Not what the session has before it, nor what is over. */
const isOffered = (node: MemoryNode, input: PromptInput): boolean =>
  !isBeforeIt(node, input) && isCurrent(node, input);

/** `isBeforeIt` tells what the session said itself, and what its parents said before it was forked. */
const isBeforeIt = (
  { sourceSession, validFrom, createdAt }: MemoryNode,
  { sessionId, ancestors }: PromptInput,
): boolean =>
  sourceSession === sessionId ||
  ancestors.some(
    (one) => one.sessionId === sourceSession && (validFrom ?? createdAt) <= one.untilMs,
  );

const isCurrent = (node: MemoryNode, { nowMs }: PromptInput): boolean =>
  node.status === "active" &&
  (node.expiresAt === null || node.expiresAt > nowMs) &&
  !node.tags.includes(headlessTag) &&
  (node.validTo === null || node.validTo > nowMs);

/** Gives a candidate as it may be told here; null when nothing of it may. */
type Foreign = (one: PromptCandidate) => PromptCandidate | null;

/**
 * `foreignIn` gives the memories of other projects, which are told with their project's name and
 * never as rules: its orders stay there.
 */
const foreignIn =
  (input: PromptInput): Foreign =>
  (one) => {
    const { node } = one.document;
    if (node.project === null || node.project === input.homeProject) return one;
    if (isRuleNode(node)) return null;
    const sentences = one.sentences.filter(
      ({ text }) => !isCommand(text) && orderIn(text)?.kind !== "rule",
    );
    if (sentences.every(({ by }) => by === "asked")) return null;
    return { ...one, sentences, from: projectLabel(input, node.project) };
  };
