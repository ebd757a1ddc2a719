/**
 * Chooses what is known already, as it was before a stretch of a session: the local rules may have
 * changed or ended it in the meantime, and a model that is shown the change has nothing left to
 * say.
 */
import { type KnownSlot, promptLimits } from "#models";
import {
  communicationUri,
  memoryCategories,
  type MemoryNode,
  type Revision,
  type Session,
  type Store,
  type Turn,
} from "#domain";
import { localDate } from "#kit";
import { spelledSlot, stemsOf, subjectIn } from "#memory";
import type { WorkerContext } from "../context.ts";

/** Memories that one session can have left; more are not looked at. */
const localsMax = 1_000;

/** Memories that were made at once of these turns. Superseded ones too: what was said is worded anew all the same. */
export function localNodes(
  { nodes }: Store,
  sessionId: string,
  turns: readonly Turn[],
): readonly MemoryNode[] {
  const isIn = isOfTurns(sessionId, turns);
  return nodes
    .list({ session: sessionId, projects: null }, "uri", { limit: localsMax, offset: 0 })
    .filter(({ maker }) => maker === "stop" || maker === "signal")
    .filter(({ evidence }) => evidence.some(isIn));
}

export const isOfTurns =
  (sessionId: string, turns: readonly Turn[]) =>
  (evidence: MemoryNode["evidence"][number]): boolean =>
    evidence.sessionId === sessionId && turns.some(({ n }) => n === evidence.turn);

/** Looked up for each text, and taken together. */
const perTextMax = 8;
/** A prompt can be a whole log; its first words say what it is about. */
const queryCharsMax = 600;
/** The number of the project's own memories that are looked at: those that were confirmed last. */
const ownMax = 400;
/** The bonus of a memory of this project over one of another. */
const ownBonus = 0.1;
/** The least share of a memory's words that the session must say as well; below this it is about something else. */
const shareMin = 0.12;
/** Below this nothing of the session touches it: its name is enough. */
const farShare = 0.05;

/**
 * Memories that the exchanges are about, in a stable order: each exchange names its own, by the share of a memory's
 * words that it says; what the session saved itself comes first. Then the slots of others of the project, by name.
 */
export function knownBefore(
  deps: WorkerContext,
  stretch: {
    readonly session: Session;
    readonly turns: readonly Turn[];
    /** The typed words and the answers, a text each. */
    readonly texts: readonly string[];
  },
): readonly KnownSlot[] {
  const { session, turns } = stretch;
  const { store } = deps;
  const nowMs = turns[0]?.startedAt ?? session.startedAt;
  // A memory that these turns ended at once is found no more, and was known before them.
  const ended = localNodes(store, session.sessionId, turns).flatMap((node) => endedBy(store, node));
  const isEnded = new Set(ended.map(({ id }) => id));
  const near = [...ended, ...ownOf(store, session), ...nearOf(deps, stretch.texts, nowMs)];
  const said = stretch.texts.map((text) => stemsOf(text));
  const nearness = (node: MemoryNode): number =>
    isEnded.has(node.id) || node.sourceSession === session.sessionId
      ? 1
      : Math.max(0, ...said.map((stems) => shareOf(node, stems)));
  const projects = new Map(store.admin.projectNames().map(({ key, name }) => [key, name]));
  const isOwn = (project: string | null): boolean =>
    project === session.project || project === null;
  const about = [...new Map(near.map((node) => [node.id, node])).values()]
    .filter(({ uri, origin }) => uri !== communicationUri && origin !== "team")
    .map((node) => ({ node, share: nearness(node) }));
  const candidates = withNeighbours(about)
    .map(({ node, share }) => ({ node, near: share + (isOwn(node.project) ? ownBonus : 0), share }))
    .toSorted((a, b) => b.near - a.near || a.node.id - b.node.id)
    // Earlier texts are looked up only for memories that may be shown: some did not stand then.
    .slice(0, 3 * promptLimits.knownMax)
    .flatMap(({ node, share }) => {
      const before = asBefore(store, node, { session, atMs: nowMs });
      return before === null ? [] : [{ before, share }];
    });
  const told = candidates
    .filter(({ share }) => share >= shareMin)
    .slice(0, promptLimits.knownMax)
    .map(({ before }) => before)
    .filter(withinChars(promptLimits.knownCharsMax));
  const others = candidates
    .filter(({ before }) => before.slot !== null && isOwn(before.project) && !told.includes(before))
    .slice(0, promptLimits.knownNamesMax);
  const names = others.map(({ before }) => before);
  const far = new Set(others.flatMap(({ before, share }) => (share < farShare ? [before.id] : [])));
  return [...inOrder(told), ...inOrder(names)].map((one, at) => ({
    number: at + 1,
    id: one.id,
    slot: one.slot === null ? null : spelledSlot(one.slot, `${one.l0}\n${one.aliases.join("\n")}`),
    l0: one.l0,
    project: one.project === null ? null : (projects.get(one.project) ?? one.project),
    date: dayOf(one),
    branch: branchOf(one),
    isRule: isRule(one) && one.origin === "user",
    isName: at >= told.length,
    isFar: far.has(one.id),
  }));
}

const inOrder = (some: readonly MemoryNode[]): readonly MemoryNode[] =>
  some.toSorted((a, b) => (a.uri < b.uri ? -1 : 1));

const dayOf = ({ updatedAt }: MemoryNode): string => localDate(updatedAt);

/** A rule of the user holds on any branch. */
const branchOf = (one: MemoryNode): string | null => (isRule(one) ? null : one.branch);

const isRule = ({ tags }: MemoryNode): boolean => tags.includes("rule");

interface Near {
  readonly node: MemoryNode;
  /** The share of the memory's words that the session says as well, 0 to 1. */
  readonly share: number;
}

/** The share of a memory's nearness that others of its subject have at least: they may tell the old value too. */
const neighbourShare = 0.5;

function withNeighbours(about: readonly Near[]): readonly Near[] {
  const ofSubject = new Map<string, number>();
  for (const { node, share } of about)
    ofSubject.set(subjectOf(node), Math.max(share, ofSubject.get(subjectOf(node)) ?? 0));
  return about.map(({ node, share }) => ({
    node,
    share: Math.max(share, (ofSubject.get(subjectOf(node)) ?? 0) * neighbourShare),
  }));
}

/** Keeps the first of them that fit together. */
function withinChars(most: number): (one: MemoryNode) => boolean {
  let chars = 0;
  return ({ l0, slot }) => {
    chars += l0.length + (slot?.length ?? 0);
    return chars <= most;
  };
}

/** Memories of the project and of everywhere. */
const ownOf = ({ nodes }: Store, { project }: Session): readonly MemoryNode[] =>
  nodes.list(
    {
      categories: memoryCategories,
      projects: project === null ? [] : [project],
      statuses: ["active"],
    },
    "recent",
    { limit: ownMax, offset: 0 },
  );

/** `nearOf` finds near memories of any project. */
const nearOf = (
  { finder }: WorkerContext,
  texts: readonly string[],
  nowMs: number,
): readonly MemoryNode[] =>
  texts.flatMap((text) =>
    finder
      .neighbours(text.slice(0, queryCharsMax), { projects: null, nowMs, limit: perTextMax })
      .map(({ node }) => node),
  );

/**
 * `shareOf` gives the share of a memory's and its slot's words that were said; its other words, in
 * other languages, count half.
 */
function shareOf({ slot, l0, aliases }: MemoryNode, said: ReadonlySet<string>): number {
  const own = [...stemsOf(`${slot ?? ""} ${l0}`)];
  const others = [...stemsOf(aliases.join(" "))].filter((stem) => !own.includes(stem));
  const held = (stems: readonly string[]): number => stems.filter((stem) => said.has(stem)).length;
  return (held(own) + held(others) / 2) / Math.max(1, own.length);
}

/** Subject of its slot within its project; of a memory without a slot, itself. */
const subjectOf = ({ id, project, slot }: MemoryNode): string =>
  slot === null ? `${id}` : `${project} ${subjectIn(slot)}`;

/** `endedBy` lists the memories that a memory superseded. */
export const endedBy = ({ nodes }: Store, by: MemoryNode): readonly MemoryNode[] =>
  nodes.byIds(
    nodes
      .links(by.id)
      .filter(({ fromId, relation }) => fromId === by.id && relation === "supersedes")
      .map(({ toId }) => toId),
  );

/** A memory as it stood then; null when it did not, or when the stretch itself made it at once. */
function asBefore(
  store: Store,
  node: MemoryNode,
  { session, atMs }: { readonly session: Session; readonly atMs: number },
): MemoryNode | null {
  const then = lastBefore(store, node, atMs);
  if (then !== null)
    return then.status === "active"
      ? { ...node, l0: then.l0, slot: then.fields.slot, uri: then.fields.uri, updatedAt: then.atMs }
      : null;
  // Another session beside this one made it, or this one's own earlier answer.
  const isLocal =
    node.sourceSession === session.sessionId && (node.maker === "stop" || node.maker === "signal");
  return isLocal || node.status !== "active" ? null : node;
}

/** The last revision of a memory from before a time. */
export const lastBefore = ({ nodes }: Store, { id }: MemoryNode, atMs: number): Revision | null =>
  nodes.revisions(id).findLast((revision) => revision.atMs < atMs) ?? null;
