/**
 * What a session is told when it starts: how to work with this user, who they are, what happened lately, what is in
 * play, and an index of what else is known. A pure function of a snapshot, and light: a hook process loads it.
 */
import type { MemoryNode } from "#domain";
import { cutAtWord, cutToTokens, isoDate, tokensOf } from "#kit";
import { indexSection } from "./start-index.ts";
import { ageOf, memoryLine, wrapBare, wrapBlock } from "./lines.ts";
import { neutralise, neutraliseLines } from "./neutral.ts";
import type {
  ComposedStart,
  Section,
  StartCheckpoint,
  StartReason,
  StartSnapshot,
} from "./start-types.ts";

/** 40-retrieval, "Injection". All in tokens but the last. */
const relationTokensMax = 400;
const profileTokensMax = 400;
const activityTokensMax = 800;
const checkpointTokensMax = 200;
const entitiesTokensMax = 240;
const briefTokensMax = 800;
/** Kept free for the index, so that there always is a way to the rest. */
const indexTokensMin = 220;
const charsMax = 9_400;

/** Checkpoints told at some length; older ones are one line. */
const detailedCheckpoints = 3;
const relevanceMin = 0.3;

const firstContact =
  "Continuity is watching and has nothing to tell yet: memories will appear here as they are learnt.";

/** Text for SessionStart within the budget and below 9,500 characters, with what it shows and why. */
export function composeStart(snapshot: StartSnapshot): ComposedStart {
  if (snapshot.isFirstContact) return greet(snapshot.tokensMax);
  const sections: Section[] = [];
  let left =
    Math.min(snapshot.tokensMax, Math.floor(charsMax / 4)) - tokensOf(wrapBlock("start", [" "]));
  for (const { make, tokensMax, keeps } of plan) {
    const section = make(snapshot, Math.min(tokensMax, left - keeps));
    if (section.lines.length === 0) continue;
    sections.push(section);
    left -= tokensOfSection(section);
  }
  const named = new Set(sections.flatMap(({ reasons }) => reasons.map(({ uri }) => uri)));
  const index = indexSection(snapshot, named, left);
  return finish(index.lines.length === 0 ? sections : [...sections, index], snapshot.tokensMax);
}

interface Step {
  readonly make: (snapshot: StartSnapshot, tokensMax: number) => Section;
  readonly tokensMax: number;
  /** Tokens left for what comes later. */
  readonly keeps: number;
}

const plan: readonly Step[] = [
  { make: briefSection, tokensMax: briefTokensMax, keeps: indexTokensMin },
  { make: relationSection, tokensMax: relationTokensMax, keeps: indexTokensMin },
  { make: profileSection, tokensMax: profileTokensMax, keeps: indexTokensMin },
  { make: activitySection, tokensMax: activityTokensMax, keeps: indexTokensMin },
  { make: entitiesSection, tokensMax: entitiesTokensMax, keeps: indexTokensMin },
];

function finish(sections: readonly Section[], tokensMax: number): ComposedStart {
  const lines = sections.flatMap(({ title, lines }) => [`## ${title}`, ...lines]);
  let text = wrapBlock("start", lines);
  // The parts were measured alone; should their sum still exceed a limit, the end goes first.
  while (lines.length > 0 && (text.length > charsMax || tokensOf(text) > tokensMax)) {
    lines.pop();
    text = wrapBlock("start", lines);
  }
  return {
    text,
    nodeIds: [...new Set(sections.flatMap(({ nodeIds }) => nodeIds))],
    tokens: tokensOf(text),
    reasons: sections.flatMap(({ reasons }) => reasons),
  };
}

/** What the first session of all is told. */
export function greet(tokensMax: number): ComposedStart {
  const greeting = wrapBare("start", [firstContact]);
  const text = tokensOf(greeting) <= tokensMax ? greeting : "";
  return { text, nodeIds: [], tokens: tokensOf(text), reasons: [] };
}

const tokensOfSection = ({ title, lines }: Section): number =>
  tokensOf(`## ${title}\n${lines.join("\n")}\n`);

function briefSection(snapshot: StartSnapshot, tokensMax: number): Section {
  const title = "Where this session was before compaction";
  const lines = snapshot.brief === null ? [] : neutraliseLines(snapshot.brief);
  return {
    title,
    lines: fitLines(lines, tokensMax - tokensOf(title) - 2),
    nodeIds: [],
    reasons: [],
  };
}

function relationSection(snapshot: StartSnapshot, tokensMax: number): Section {
  const nodes = snapshot.relation === null ? [] : [snapshot.relation];
  return nodeSection(
    "Working With You",
    nodes.filter((node) => isNew(node, snapshot)),
    {
      tokensMax,
      nowMs: snapshot.nowMs,
      overview: true,
    },
  );
}

function profileSection(snapshot: StartSnapshot, tokensMax: number): Section {
  const nodes = [...snapshot.profile, ...snapshot.preferences];
  return nodeSection(
    "Your Profile",
    nodes.filter((node) => isNew(node, snapshot)),
    {
      tokensMax,
      nowMs: snapshot.nowMs,
      overview: true,
    },
  );
}

/**
 * Entities in brief: that they are known, and how they begin. What is cut short does not count as seen, so that the prompt
 * that asks for it gets all of it, at the right place (docs/adr/0010).
 */
function entitiesSection(snapshot: StartSnapshot, tokensMax: number): Section {
  const nodes = snapshot.entities.filter((node) => isNew(node, snapshot));
  const brief = nodes.map((node) => Object.assign({}, node, { l0: briefly(node.l0) }));
  const section = nodeSection("Active Entities", brief, {
    tokensMax,
    nowMs: snapshot.nowMs,
    overview: false,
  });
  const cut = nodes.filter(({ l0 }) => briefly(l0) !== l0);
  const cutIds = new Set(cut.map(({ id }) => id));
  const cutUris = new Set(cut.map(({ uri }) => uri));
  return {
    ...section,
    nodeIds: section.nodeIds.filter((id) => !cutIds.has(id)),
    reasons: section.reasons.map((reason) =>
      cutUris.has(reason.uri) ? Object.assign({}, reason, { as: "listed" as const }) : reason,
    ),
  };
}

const entityCharsMax = 56;

const briefly = (l0: string): string => cutAtWord(l0, entityCharsMax);

/** Tokens that an overview may add to its memory's line. */
const overviewTokensMax = 120;

/** As many nodes as fit, in the given order, each as one line and (with `overview`) its L1 cut and indented below. */
function nodeSection(
  title: string,
  nodes: readonly MemoryNode[],
  options: { readonly tokensMax: number; readonly nowMs: number; readonly overview: boolean },
): Section {
  const lines: string[] = [];
  const nodeIds: number[] = [];
  const reasons: StartReason[] = [];
  let left = options.tokensMax - tokensOf(`## ${title}\n`);
  for (const node of nodes) {
    const own = [memoryLine(node, options.nowMs)];
    const whole = options.overview
      ? [...own, ...overviewLines(node, Math.min(overviewTokensMax, left))]
      : own;
    const chosen = [whole, own].find((some) => tokensOf(`${some.join("\n")}\n`) <= left);
    if (chosen === undefined) continue;
    const tokens = tokensOf(`${chosen.join("\n")}\n`);
    left -= tokens;
    lines.push(...chosen);
    nodeIds.push(node.id);
    reasons.push({ section: title, uri: node.uri, tokens, as: "shown" });
  }
  return { title, lines, nodeIds, reasons };
}

/** L1 below its line; what the user did not say is quoted here as well. */
function overviewLines(node: MemoryNode, tokensMax: number): readonly string[] {
  if (node.l1 === null || tokensMax <= 0) return [];
  const lines = neutraliseLines(node.l1).filter((line) => line !== neutralise(node.l0));
  const shown =
    node.origin === "user" ? lines : lines.map((line) => `"${line.replaceAll('"', "'")}"`);
  return fitLines(
    shown.map((line) => `  ${line}`),
    tokensMax,
  );
}

function activitySection(snapshot: StartSnapshot, tokensMax: number): Section {
  const title =
    snapshot.projectName === null
      ? "Recent Activity"
      : `Recent Activity in ${neutralise(snapshot.projectName).slice(0, 60)}`;
  const told = snapshot.checkpoints.filter(
    ({ relevance, atMs }) =>
      relevance > relevanceMin && (snapshot.sinceMs === null || atMs > snapshot.sinceMs),
  );
  const lines: string[] = [];
  const reasons: StartReason[] = [];
  let left = tokensMax - tokensOf(`## ${title}\n`);
  for (const [position, checkpoint] of told.entries()) {
    const short = [checkpointHead(checkpoint, snapshot.nowMs)];
    const long =
      position < detailedCheckpoints ? checkpointOverview(checkpoint, snapshot.nowMs) : short;
    const chosen = [long, short].find((some) => tokensOf(`${some.join("\n")}\n`) <= left);
    if (chosen === undefined) break;
    const tokens = tokensOf(`${chosen.join("\n")}\n`);
    left -= tokens;
    lines.push(...chosen);
    const uri = `mem://sessions/${neutralise(checkpoint.sessionId)}/summary`;
    reasons.push({ section: "Recent Activity", uri, tokens, as: "shown" });
  }
  return { title, lines, nodeIds: [], reasons };
}

const checkpointL0CharsMax = 240;

/** The one line of a checkpoint: what, when, which session. */
const checkpointHead = (checkpoint: StartCheckpoint, nowMs: number): string => {
  const l0 = cutAtWord(neutralise(checkpoint.l0), checkpointL0CharsMax);
  const when = `${isoDate(checkpoint.atMs)}, ${ageOf(checkpoint.atMs, nowMs)}`;
  return `- [noted] ${l0} (${when}, session ${neutralise(checkpoint.sessionId).slice(0, 8)})`;
};

function checkpointOverview(checkpoint: StartCheckpoint, nowMs: number): readonly string[] {
  const fields: readonly (readonly [string, string])[] = [
    ["Completed", checkpoint.completed],
    ["Learned", checkpoint.learned],
    ["Next", checkpoint.nextSteps],
    ["Files", checkpoint.filesEdited.slice(0, 8).join(", ")],
    ["Uncommitted", checkpoint.uncommitted.slice(0, 8).join(", ")],
  ];
  const lines = fields.flatMap(([name, value]) => {
    const text = neutralise(value);
    return text === "" ? [] : [`  ${name}: ${text}`];
  });
  const head = checkpointHead(checkpoint, nowMs);
  return [head, ...fitLines(lines, checkpointTokensMax - tokensOf(head))];
}

/** As many lines as fit; the first one that does not is cut at a word when a useful part of it fits. */
function fitLines(lines: readonly string[], tokensMax: number): readonly string[] {
  const kept: string[] = [];
  let left = tokensMax;
  for (const line of lines) {
    const tokens = tokensOf(`${line}\n`);
    if (tokens <= left) {
      kept.push(line);
      left -= tokens;
      continue;
    }
    if (left > usefulTokensMin) kept.push(cutToTokens(line, left - 1));
    break;
  }
  return kept;
}

const usefulTokensMin = 12;

const isNew = (node: MemoryNode, snapshot: StartSnapshot): boolean =>
  node.status === "active" && (snapshot.sinceMs === null || node.updatedAt > snapshot.sinceMs);
