/** A memory of a session's reply as a candidate: with what only we know of session, project, time and place. */
import { isPlanned, type KnownSlot, type ProposedMemory } from "#models";
import {
  type Candidate,
  type Category,
  isPlan,
  type MemoryNode,
  type NodePatch,
  type Session,
  type Store,
  type ToolUse,
  type Turn,
  untilMergedTag,
} from "#domain";
import { msPerDay, oneLine, parseNow, tokensOf } from "#kit";
import { limits, slotOf, slugOf } from "#memory";
import { endOfTurn } from "../jobs/exchanges.ts";
import { isRuleOfUser } from "./known.ts";
import { branchOf } from "./plan.ts";
import { atMsOf, type Reading } from "./replies.ts";
import { index } from "../jobs/remember.ts";
import type { WorkerContext } from "../context.ts";

export interface Proposal {
  readonly candidate: Candidate;
  /** Null where its name says nothing. */
  readonly slot: string | null;
  readonly value: string;
  /** Given as a rule that no words of its user make one. */
  readonly wasRule: boolean;
  /** Known memories that the reply says are ended by this one. */
  readonly replaces: readonly KnownSlot[];
}

const filesMax = 8;

/** Before what was given as a rule and is none: what was asked for in one task must not read as a law. */
const forOneTask = "In one task: ";

const importanceOf = { rule: 4, decision: 4, cause: 3, fact: 3, place: 3 } as const;

/** One for each project of its scope. */
export const proposalsOf = (
  deps: WorkerContext,
  reading: Reading,
  memory: ProposedMemory,
): readonly Proposal[] =>
  (memory.scope.match(/[^,\s][^,]*/gu) ?? ["project"])
    .map((scope) => scope.trim())
    .flatMap((scope) => proposalOf(deps, reading, { ...memory, scope }));

/** Empty for a session without turns alone. */
function proposalOf(
  deps: WorkerContext,
  { session, turns }: Reading,
  memory: ProposedMemory,
): readonly Proposal[] {
  const turn = turns.find(({ n }) => n === memory.turn) ?? turns.at(-1);
  if (turn === undefined) return [];
  const slot = slotOf(memory.subject, memory.attribute);
  const { kind, line, origin, quote, value, valid, replaces } = memory;
  const isEverywhere = memory.scope === "everywhere";
  const candidate: Candidate = {
    category: categoryOf(kind, isEverywhere),
    uriHint: slugOf(`${memory.subject} ${memory.attribute}`),
    l0: memory.wasRule === true ? `${forOneTask}${line}` : line,
    l1: null,
    l2: null,
    importance: importanceOf[kind],
    tags: valid.type === "merged" ? [kind, untilMergedTag] : [kind],
    files: turn.filesEdited.filter((path) => line.includes(baseName(path))).slice(0, filesMax),
    aliases: memory.aliases,
    project: isEverywhere ? null : projectOf(deps, session, memory.scope),
    origin,
    maker: "extract",
    evidence: { sessionId: session.sessionId, turn: turn.n, line: turn.line, quote },
    branch:
      valid.type === "merged" && valid.branch !== ""
        ? valid.branch
        : (branchOf(deps.store, turn) ?? session.branch),
    atMs: origin === "user" ? turn.startedAt : endOfTurn(turn),
    slot,
    expiresAt: expiryOf(memory, turn),
  };
  return [{ candidate, slot, value, wasRule: memory.wasRule === true, replaces }];
}

const categoryOf = (kind: ProposedMemory["kind"], isEverywhere: boolean): Category => {
  switch (kind) {
    case "rule":
      return isEverywhere ? "preferences" : "patterns";
    case "decision":
      return "events";
    case "fact":
      return "entities";
    case "cause":
      return "cases";
    case "place":
      return "patterns";
    default:
      return kind satisfies never;
  }
};

/** To the end of the day that was named. What holds until a branch is merged ends with that (../anchors.ts). */
const expiryOf = ({ valid }: ProposedMemory, { startedAt }: Turn): number | null =>
  valid.type === "until" ? (parseNow(valid.date) ?? startedAt) + msPerDay : null;

/** The project of that name; an unknown name leaves it where it was said. */
function projectOf({ store }: WorkerContext, session: Session, scope: string): string | null {
  const name = scope.toLowerCase();
  if (name === "project" || name === session.projectName?.toLowerCase()) return session.project;
  const named = store.admin
    .projectNames()
    .filter((project) => project.name.toLowerCase() === name || project.key === scope);
  return named.length === 1 ? (named[0]?.key ?? session.project) : session.project;
}

export const isForgotten = ({ store }: WorkerContext, { candidate }: Proposal): boolean =>
  store.nodes.isForgotten(candidate.l0) || store.nodes.isForgotten(candidate.evidence.quote);

/** Current memories of the slot, and those that the reply names, whatever they are called and wherever they belong. */
export function targetsOf(
  { store }: WorkerContext,
  { candidate, replaces, slot }: Proposal,
): readonly MemoryNode[] {
  const named = store.nodes.byIds(replaces.map(({ id }) => id));
  const ofSlot = slot === null ? [] : store.nodes.bySlot(candidate.project, slot);
  const all = [...ofSlot, ...named];
  return [...new Map(all.map((node) => [node.id, node])).values()];
}

/** Does a memory rest on the words of a proposal already? A job may run twice. */
export const isCounted = ({ evidence }: MemoryNode, { candidate }: Proposal): boolean =>
  evidence.some(
    ({ sessionId, turn }) =>
      sessionId === candidate.evidence.sessionId && turn === candidate.evidence.turn,
  );

const aliasesMax = 16;

/** Says an older memory in the words of a proposal. */
export const rewording = ({ candidate, slot }: Proposal, local: MemoryNode): NodePatch => ({
  l0: candidate.l0,
  l1: null,
  slot,
  aliases: [...new Set([...candidate.aliases, ...local.aliases])].slice(0, aliasesMax),
  importance: Math.max(local.importance, candidate.importance),
  tags: [...new Set([...local.tags, ...candidate.tags])],
  files: [...new Set([...local.files, ...candidate.files])],
  expiresAt: candidate.expiresAt ?? local.expiresAt,
});

const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

// Files and folders that were renamed in a session, in memories that a model or an agent worded: what names the old
// path names the new one. The user's own words stay as they are. Every change is a revision that can be undone.

interface Rename {
  readonly from: string;
  readonly to: string;
}

const memoriesMax = 400;
const renamesMax = 40;

/** Runs inside the transaction that completes the job. */
export function followRenames(deps: WorkerContext, { job, session, turns }: Reading): void {
  const { store } = deps;
  const uses = turns.flatMap(({ n, toolCount }) =>
    toolCount === 0 ? [] : store.sessions.toolUses(session.sessionId, n),
  );
  const renames = renamesIn(uses, session.cwd);
  if (renames.length === 0 || session.project === null) return;
  for (const node of wordedIn(store, session.project)) {
    const patch = renamed(node, renames);
    if (patch === null) continue;
    const reason = "a file that it names was renamed";
    const cause = { atMs: atMsOf(job, session), action: "edit", by: job.key, reason } as const;
    index(deps, store.nodes.update(node.id, patch, cause));
  }
}

const wordedIn = ({ nodes }: Store, project: string): readonly MemoryNode[] =>
  nodes
    .list({ projects: [project], statuses: ["active"] }, "recent", {
      limit: memoriesMax,
    })
    .filter(
      ({ maker, origin, nodeType, project: own }) =>
        own === project &&
        nodeType === "leaf" &&
        (maker === "extract" || (maker === "manual" && origin === "agent")),
    );

const word = String.raw`("[^"]+"|'[^']+'|[^\s;&|"']+)`;
const moving = new RegExp(
  String.raw`(?<=^|[;&|]\s*|\n\s*)git mv (?:-[fkv]+ )*${word} ${word}\s*(?=$|[;&|\n])`,
  "gu",
);

/** `git mv old new` of two plain paths, in order. */
function renamesIn(uses: readonly ToolUse[], cwd: string | null): readonly Rename[] {
  const near = (path: string): string => {
    const bare = path.replace(/^["']|["']$/g, "").replace(/^\.\//, "");
    return cwd !== null && bare.startsWith(`${cwd}/`) ? bare.slice(cwd.length + 1) : bare;
  };
  return uses
    .filter(
      ({ tool, outcome, target }) =>
        // Behind a `cd` the paths are of another folder.
        tool === "Bash" &&
        outcome === "ok" &&
        target !== null &&
        !/(?:^|[\s;&|])cd\s/u.test(target),
    )
    .flatMap(({ target }) => Array.from((target ?? "").matchAll(moving)))
    .map(([, from = "", to = ""]) => ({ from: near(from).replace(/\/$/, ""), to: near(to) }))
    .map(({ from, to }) => ({ from, to: into(to, from) }))
    .filter(({ from, to }) => from !== to && isPath(from) && isPath(to))
    .slice(0, renamesMax);
}

/** The path of what was moved into a folder, which a file's new name without an end must be; else the new name. */
function into(to: string, from: string): string {
  if (to === ".") return nameOf(from);
  const isFolder = to.endsWith("/") || (nameOf(from).includes(".") && !nameOf(to).includes("."));
  return isFolder ? `${to.replace(/\/$/, "")}/${nameOf(from)}` : to;
}

const nameOf = (path: string): string => path.split("/").at(-1) ?? path;
const folderOf = (path: string): string => path.slice(0, -nameOf(path).length);

/** Tells a path from a word: a folder in it, or an end. */
const isPath = (path: string): boolean => /^[\w@.+/-]{4,200}$/.test(path) && /[./]/.test(path);

/** Null when it names nothing of these, or the new name already. */
function renamed({ l0, files }: MemoryNode, renames: readonly Rename[]): NodePatch | null {
  const said = renames.reduce((text, one) => inText(text, one), l0);
  if (said === l0 || oneLine(said) !== said || tokensOf(said) > limits.l0TokensMax) return null;
  return {
    l0: said,
    files: files.map((path) => renames.reduce((at, one) => inText(at, one), path)),
  };
}

function inText(text: string, { from, to }: Rename): string {
  if (text.includes(to) && !from.includes(to)) return text;
  const whole = text.replace(named(from), (_all, before: string) => `${before}${to}`);
  // By its name alone, where it stayed in its folder.
  const isBare = folderOf(from) === folderOf(to) && nameOf(from).includes(".");
  return isBare && whole === text && !text.includes(nameOf(to))
    ? text.replace(named(nameOf(from)), (_all, before: string) => `${before}${nameOf(to)}`)
    : whole;
}

/** As a whole path, or the beginning of one below it. */
const named = (path: string): RegExp =>
  new RegExp(String.raw`(^|[^\w@.+/-]|(?<![\w.])\./)${RegExp.escape(path)}(?![\w@+-]|\.\w)`, "gu");

/**
 * Only the user's word ends what the user said. But a plan, a state of unmerged work and a model's cause give way to
 * their successor; so do a model's decision and the content of an accepted plan, when the reply names them.
 */
export function mayEnd(
  { store }: WorkerContext,
  { candidate, replaces, wasRule }: Proposal,
  old: MemoryNode,
): boolean {
  const isNamed = replaces.some(({ id }) => id === old.id);
  if (wasRule && !isNamed && isRuleOfUser(old)) return false;
  const areOf = (category: "cases" | "events"): boolean =>
    old.maker === "extract" && [candidate, old].every((one) => one.category === category);
  return (
    candidate.origin === "user" ||
    old.origin !== "user" ||
    isPlanned(old.l0) ||
    [candidate, old].every(({ tags }) => tags.includes(untilMergedTag)) ||
    areOf("cases") ||
    (isNamed && (areOf("events") || isOfPlan(store, old)))
  );
}

const isOfPlan = ({ sessions }: Store, { evidence }: MemoryNode): boolean =>
  evidence.length > 0 &&
  evidence.every(({ sessionId, turn }) =>
    isPlan(turn === null ? "" : (sessions.turn(sessionId, turn)?.prompt ?? "")),
  );
