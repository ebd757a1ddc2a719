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
import { endedBy, ruleCategories, spelledSlot, stemsOf, subjectIn } from "#memory";
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
    .list({ session: sessionId, projects: null }, "uri", { limit: localsMax })
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
/** Earlier texts are looked up for the nearest alone: some of them did not stand then. */
const nearestMax = 60;
// Nearness is between 0 and 2: the share of a memory's words that one exchange says, and the share that all say.
/** The bonus of a memory of this project over one of another. */
const ownBonus = 0.1;
/** The bonus of a memory that the session itself made. */
const sessionBonus = 0.2;
/** Nearness from which a memory stands in full, and by name: what is further is about something else. */
const fullFrom = 0.3;
const nameFrom = 0.1;

/** A part of a session that a question is about. */
interface Stretch {
  readonly session: Session;
  readonly turns: readonly Turn[];
  /** The typed words and the answers, a text each. */
  readonly texts: readonly string[];
}

/**
 * Memories that the exchanges are about, in a stable order: the nearest in full, then others of the project
 * by name.
 */
export function knownBefore(deps: WorkerContext, stretch: Stretch): readonly KnownSlot[] {
  const { session } = stretch;
  const { store } = deps;
  const savedAt = savesIn(store, session);
  const candidates = nearestBefore(deps, stretch, savedAt);
  const { knownCharsMax, knownNamesCharsMax, knownStartCharsMax } = promptLimits;
  const told = candidates
    .filter(({ near }) => near >= fullFrom)
    .map(({ node }) => node)
    .filter(withinChars(knownCharsMax, Infinity));
  const names = candidates
    .filter(({ node, near }) => near >= nameFrom && !told.includes(node))
    .map(({ node }) => node)
    .filter((node) => node.slot !== null && isOwn(node, session))
    .filter(withinChars(knownNamesCharsMax, knownStartCharsMax));
  const projects = new Map(store.admin.projectNames().map(({ key, name }) => [key, name]));
  return [...inOrder(told, savedAt), ...inOrder(names, savedAt)].map((one, at) => ({
    number: at + 1,
    id: one.id,
    slot: one.slot === null ? null : spelledSlot(one.slot, `${one.l0}\n${one.aliases.join("\n")}`),
    l0: one.l0,
    project: one.project === null ? null : (projects.get(one.project) ?? one.project),
    date: localDate(one.updatedAt),
    // A rule of the user holds on any branch.
    branch: isRule(one) ? null : one.branch,
    isRule: isRuleOfUser(one),
    isName: at >= told.length,
    savedAt: savedAt(one),
  }));
}

const isOwn = ({ project }: MemoryNode, session: Session): boolean =>
  project === session.project || project === null;

/** Memories as they were before a stretch, the nearest to it first. */
function nearestBefore(
  deps: WorkerContext,
  { session, texts, turns }: Stretch,
  savedAt: SavedAt,
): readonly Near[] {
  const { store } = deps;
  const nowMs = turns[0]?.startedAt ?? session.startedAt;
  // A memory that these turns ended at once is found no more, and was known before them.
  const ended = localNodes(store, session.sessionId, turns).flatMap((node) =>
    endedBy(store.nodes, node.id),
  );
  const found = [...ended, ...ownOf(store, session), ...nearOf(deps, texts, nowMs)];
  const about = [...new Map(found.map((node) => [node.id, node])).values()].filter(
    ({ uri, origin }) => uri !== communicationUri && origin !== "team",
  );
  const nearness = nearnessOf(about, texts);
  const isEnded = new Set(ended.map(({ id }) => id));
  const rankOf = ({ node, near }: Near): number => near + (isOwn(node, session) ? ownBonus : 0);
  return withNeighbours(
    about.map((node) => ({
      node,
      near: isEnded.has(node.id)
        ? nearestOfAll
        : nearness(node) + (node.sourceSession === session.sessionId ? sessionBonus : 0),
    })),
  )
    .toSorted((a, b) => rankOf(b) - rankOf(a) || a.node.id - b.node.id)
    .slice(0, nearestMax)
    .flatMap(({ node, near }) => {
      // The agent's own save was made while the stretch went on.
      const before =
        savedAt(node) === null ? asBefore(store, node, { session, atMs: nowMs }) : node;
      return before === null ? [] : [{ node: before, near }];
    });
}

/** The turn of a session in which its agent saved a memory; null for any other memory. */
type SavedAt = (node: MemoryNode) => number | null;

function savesIn({ sessions }: Store, { sessionId, startedAt }: Session): SavedAt {
  const turns = sessions.turns(sessionId);
  return ({ createdAt, maker, sourceSession }) =>
    maker === "manual" && sourceSession === sessionId && createdAt >= startedAt
      ? (turns.findLast((turn) => turn.startedAt <= createdAt)?.n ?? null)
      : null;
}

/** Sessions of a project, before one in which nothing was saved, that tell if its agent saves at all. */
const sessionsLookedAt = 8;

/** True where the agent saved something in the session, or in one of the project's last ones. */
export function doesAgentSave({ nodes, sessions }: Store, session: Session): boolean {
  const { project, sessionId, startedAt } = session;
  const before =
    project === null
      ? []
      : sessions
          .list({ projects: [project], untilMs: startedAt }, { limit: sessionsLookedAt })
          .map((one) => one.sessionId);
  return [sessionId, ...before].some(
    (id) => nodes.count({ session: id, projects: null, maker: "manual" }) > 0,
  );
}

/** Older memories by their names, then what the agent saved in the session by turn. */
const inOrder = (some: readonly MemoryNode[], savedAt: SavedAt): readonly MemoryNode[] =>
  some.toSorted((a, b) => (savedAt(a) ?? 0) - (savedAt(b) ?? 0) || (a.uri < b.uri ? -1 : 1));

/** Tells a rule; a memory that was saved by name carries its kind in its category alone. */
export const isRule = ({ category, maker, tags }: MemoryNode): boolean =>
  tags.includes("rule") ||
  (maker === "manual" && category !== null && ruleCategories.includes(category));

/** Tells a rule that its user ordered: it stays one, whatever a reading takes it for. */
export const isRuleOfUser = (one: MemoryNode): boolean => isRule(one) && one.origin === "user";

interface Near {
  readonly node: MemoryNode;
  readonly near: number;
}

/** Nearness of a memory that these turns ended. */
const nearestOfAll = 2;

/** The share of a memory's nearness that others of its subject have at least: they may tell the old value too. */
const neighbourShare = 0.5;

function withNeighbours(about: readonly Near[]): readonly Near[] {
  const ofSubject = new Map<string, number>();
  for (const { node, near } of about)
    ofSubject.set(subjectOf(node), Math.max(near, ofSubject.get(subjectOf(node)) ?? 0));
  return about.map(({ node, near }) => ({
    node,
    near: Math.max(near, (ofSubject.get(subjectOf(node)) ?? 0) * neighbourShare),
  }));
}

/** Keeps the first of them that fit together, of each line at most so many characters. */
function withinChars(most: number, ofLine: number): (one: MemoryNode) => boolean {
  let chars = 0;
  return ({ l0, slot }) => {
    chars += Math.min(l0.length, ofLine) + (slot?.length ?? 0);
    return chars <= most;
  };
}

const ownOf = ({ nodes }: Store, { project }: Session): readonly MemoryNode[] =>
  nodes.list(
    {
      categories: memoryCategories,
      projects: project === null ? [] : [project],
      statuses: ["active"],
    },
    "recent",
    { limit: ownMax },
  );

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

/** Words of a memory and its slot; `others`: those that its aliases add, often in another language. */
function wordsOf({ slot, l0, aliases }: MemoryNode) {
  const own = stemsOf(`${slot ?? ""} ${l0}`);
  return {
    own: [...own],
    others: [...stemsOf(aliases.join(" "))].filter((stem) => !own.has(stem)),
  };
}

/**
 * `nearnessOf` gives the share of a memory's words that the text nearest to it says, plus the share that all texts say
 * together. Words that few of the memories have weigh more; those of aliases count half.
 */
function nearnessOf(
  memories: readonly MemoryNode[],
  texts: readonly string[],
): (node: MemoryNode) => number {
  const words = new Map(memories.map((node) => [node.id, wordsOf(node)]));
  const holders = new Map<string, number>();
  for (const { own } of words.values())
    for (const stem of own) holders.set(stem, (holders.get(stem) ?? 0) + 1);
  const weightOf = (stem: string): number =>
    Math.log(1 + (memories.length + 1) / ((holders.get(stem) ?? 0) + 0.5));
  const weigh = (stems: readonly string[]): number =>
    stems.reduce((sum, stem) => sum + weightOf(stem), 0);
  const said = texts.map((text) => stemsOf(text));
  const saidAtAll = new Set(said.flatMap((stems) => [...stems]));
  return (node) => {
    const { own, others } = words.get(node.id) ?? wordsOf(node);
    const whole = Math.max(1, weigh(own));
    const shareIn = (stems: ReadonlySet<string>): number =>
      (weigh(own.filter((stem) => stems.has(stem))) +
        weigh(others.filter((stem) => stems.has(stem))) / 2) /
      whole;
    return Math.max(0, ...said.map(shareIn)) + shareIn(saidAtAll);
  };
}

/** Subject of its slot within its project; of a memory without a slot, itself. */
const subjectOf = ({ id, project, slot }: MemoryNode): string =>
  slot === null ? `${id}` : `${project} ${subjectIn(slot)}`;

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

export const lastBefore = ({ nodes }: Store, { id }: MemoryNode, atMs: number): Revision | null =>
  nodes.revisions(id).findLast((revision) => revision.atMs < atMs) ?? null;
