/**
 * Compares memories with the code: which files and symbols a memory names, how they stood when it
 * was learnt, what became of them since, and which content only one branch has. Git is asked
 * beside, when a turn ends; what is kept of it is no change of what a memory says.
 */
import {
  untilMergedTag,
  anchorsIn,
  anchorsMax,
  anchorText,
  type Anchor,
  type MemoryNode,
  type Session,
  type Store,
} from "#domain";
import { msPerDay } from "#kit";
import { contentHash, namedIn } from "#memory";
import type { WorkerContext } from "../context.ts";
import type { Checkout, CodeHistory, CodePort } from "./code.ts";

/** The result of asking git, to be written. */
export interface CodeSurvey {
  readonly anchored: readonly { readonly id: number; readonly anchors: readonly string[] }[];
  /** Memories of a branch that was deleted and never merged, and what held until its branch was merged. */
  readonly ended: readonly { readonly id: number; readonly reason: string }[];
}

/** Memories of a project that are looked at when a turn closes, the latest first. */
const lookedAtMax = 400;
const filesMax = 24;
const versionsMax = 20;

/** Reads working tree and repository; writes nothing. Null where there is nothing to look at. */
export async function surveyCode(
  { store, code }: WorkerContext,
  session: Session,
): Promise<CodeSurvey | null> {
  const place = session.cwd === null ? null : placeOf(code, session.cwd);
  if (place === null || session.project === null) return null;
  const nodes = store.nodes
    .list({ projects: [session.project], statuses: ["active"] }, "recent", {
      limit: lookedAtMax,
    })
    .filter((node) => node.project === session.project && node.category !== "sessions");
  const sinceMs = session.startedAt - msPerDay;
  const fresh = nodes.filter(
    ({ anchors, createdAt, maker, sourceSession }) =>
      anchors.length === 0 &&
      (sourceSession === session.sessionId || (maker === "manual" && createdAt >= sinceMs)),
  );
  const anchored: CodeSurvey["anchored"][number][] = [];
  const ended: CodeSurvey["ended"][number][] = [];
  for (const node of fresh) {
    const anchors = await anchorsFor(place, node, filesOf(store, node));
    if (anchors.length > 0) anchored.push({ id: node.id, anchors: anchors.map(anchorText) });
  }
  for (const node of nodes) {
    const before = anchorsIn(node.anchors);
    const seen = before.length === 0 ? null : await lookedAgain(place, before);
    const reason = await endingOf(place, node, before, seen);
    if (reason !== null && endsWith(store, node, { session, reason }))
      ended.push({ id: node.id, reason });
    else if (seen !== null) anchored.push({ id: node.id, anchors: seen.anchors.map(anchorText) });
  }
  return { anchored, ended };
}

/** `endingOf` gives the reason why a memory has ended with a branch; null = it has not. */
async function endingOf(
  { git }: Place,
  { branch, tags }: MemoryNode,
  before: readonly Anchor[],
  seen: Seen | null,
): Promise<string | null> {
  if (branch !== null && tags.includes(untilMergedTag)) {
    const isMerged =
      before.some((anchor) => anchor.branch !== null) &&
      seen?.anchors.every((anchor) => anchor.branch === null) === true;
    return isMerged || (await git.hasBranch(branch)) === false
      ? `branch ${branch} was merged or is gone`
      : null;
  }
  const deleted = seen?.deleted ?? null;
  return deleted === null ? null : `branch ${deleted} was deleted without being merged`;
}

/** Inside the job's transaction. */
export function keepSurvey(
  { store }: WorkerContext,
  { anchored, ended }: CodeSurvey,
  cause: { readonly atMs: number; readonly by: string },
): readonly number[] {
  for (const { id, anchors } of anchored) {
    const before = store.nodes.byId(id)?.anchors;
    if (before !== undefined && before.join() !== anchors.join()) store.nodes.anchor(id, anchors);
  }
  const put: number[] = [];
  for (const { id, reason } of ended) {
    if (store.nodes.byId(id)?.status !== "active") continue;
    store.nodes.retract(id, { ...cause, action: "retract", reason });
    put.push(id);
  }
  return put;
}

/** The anchors of one memory as it stands now in a working tree; null outside a repository. */
export async function anchorsNow(
  { store, code }: WorkerContext,
  node: MemoryNode,
  ask: { readonly folder: string; readonly holds: boolean },
): Promise<readonly Anchor[] | null> {
  const place = placeOf(code, ask.folder);
  if (place === null) return null;
  const before = anchorsIn(node.anchors);
  if (!ask.holds && before.length > 0) return (await lookedAgain(place, before)).anchors;
  const places = before.flatMap(({ path, movedTo }) => [path, movedTo ?? path]);
  return anchorsFor(place, node, [...places, ...filesOf(store, node)]);
}

/** Null outside a repository. */
function placeOf(code: CodePort, folder: string): Place | null {
  const checkout = code.checkoutOf(folder);
  if (checkout === null) return null;
  return { code, checkout, git: code.git(checkout.root) };
}

interface Place {
  readonly code: CodePort;
  readonly checkout: Checkout;
  readonly git: CodeHistory;
}

/**
 * A memory ends with its branch where it was learnt: a branch that this machine never had is not missed here. What was
 * put away and brought back by hand stays.
 */
function endsWith(
  store: Store,
  { id, branch, sourceSession, tags }: MemoryNode,
  { session, reason }: { readonly session: Session; readonly reason: string },
): boolean {
  const source = sourceSession === null ? null : store.sessions.byId(sourceSession);
  // A branch that a model named, and that its session never worked with, may never have been here.
  const isOther =
    source !== null && tags.includes(untilMergedTag) && !workedWith(store, source, branch ?? "");
  const wasEnded = store.nodes.revisions(id).some((one) => one.reason === reason);
  return source?.project === session.project && !isOther && !wasEnded;
}

const turnsReadMax = 50;

/** Began the session on that branch, or does one of its commands name it? */
const workedWith = ({ sessions }: Store, { sessionId, branch }: Session, name: string): boolean =>
  branch === name ||
  sessions
    .turns(sessionId)
    .slice(-turnsReadMax)
    .some(({ n }) => sessions.toolUses(sessionId, n).some(({ target }) => target?.includes(name)));

/** Files that may hold what a memory names: its own, and those of the turns that it was learnt from. */
function filesOf(store: Store, { files, evidence }: MemoryNode): readonly string[] {
  const turns = evidence.flatMap(({ sessionId, turn }) =>
    turn === null ? [] : (store.sessions.turn(sessionId, turn) ?? []),
  );
  const touched = turns.flatMap(({ filesEdited, filesRead }) => filesEdited.concat(filesRead));
  return [...new Set([...files, ...touched])].slice(0, filesMax);
}

/** The anchors of a memory as it is learnt, or as it is verified. */
async function anchorsFor(
  place: Place,
  node: MemoryNode,
  files: readonly string[],
): Promise<readonly Anchor[]> {
  const { commit } = place.checkout;
  const anchors: Anchor[] = [];
  for (const { path, symbol, text } of namesFound(place, node, files)) {
    const hash = contentHash(text, symbol) ?? "";
    const branch = await onlyBranch(place, { path, symbol, hash });
    // A rule about a file holds whatever stands in the file.
    const isRule = symbol === null && node.category === "preferences";
    const seen = { commit, movedTo: null, state: "fresh", branch } as const;
    anchors.push({ path, symbol, hash: isRule ? "" : hash, ...seen });
  }
  return anchors;
}

/** The branch that is checked out, when the default branch has not this content; null otherwise. */
async function onlyBranch({ checkout, git }: Place, sought: Sought): Promise<string | null> {
  const main = await git.defaultBranch();
  if (main === null || checkout.branch === main.name) return null;
  return (await isOnAny(git, main.refs, sought)) ? null : checkout.branch;
}

interface Sought {
  readonly path: string;
  readonly symbol: string | null;
  readonly hash: string;
}

interface Found {
  readonly path: string;
  readonly symbol: string | null;
  readonly text: string;
}

/**
 * `namesFound` gives the names of a memory that the working tree has: symbols in named files or in
 * those nearby, and files.
 */
function namesFound(
  { code, checkout: { root } }: Place,
  node: MemoryNode,
  files: readonly string[],
): readonly Found[] {
  const { paths, symbols } = namedIn(`${node.l0}\n${node.l2 ?? ""}`);
  if (paths.length + symbols.length === 0) return [];
  const near = files.flatMap((file) => relativeTo(root, file) ?? []);
  const texts = new Map(
    [...new Set([...paths, ...near])].flatMap((path) => {
      const text = code.read(root, path);
      return text === null ? [] : [[path, text] as const];
    }),
  );
  const isNamed = (path: string): boolean =>
    paths.some((name) => path === name || (!texts.has(name) && path.endsWith(`/${name}`)));
  const defined = symbols.flatMap((symbol): readonly Found[] => {
    const home = [...texts].find(([, text]) => contentHash(text, symbol) !== null);
    return home === undefined ? [] : [{ path: home[0], symbol, text: home[1] }];
  });
  const whole = [...texts]
    .filter(([path]) => isNamed(path) && !defined.some((one) => one.path === path))
    .map(([path, text]) => ({ path, symbol: null, text }));
  return [...defined, ...whole].slice(0, anchorsMax);
}

/** A path below the top of the working tree; null for one outside. */
function relativeTo(root: string, path: string): string | null {
  if (path.startsWith(`${root}/`)) return path.slice(root.length + 1);
  return path.startsWith("/") || path.startsWith("..") ? null : path.replace(/^\.\//u, "");
}

interface Seen {
  readonly anchors: readonly Anchor[];
  /** The branch that the memory ends with; null = it does not. */
  readonly deleted: string | null;
}

/** `lookedAgain` follows anchors: renames, merges and deleted branches. */
async function lookedAgain(place: Place, before: readonly Anchor[]): Promise<Seen> {
  const { code, checkout, git } = place;
  const anchors: Anchor[] = [];
  let deleted: string | null = null;
  for (const anchor of before) {
    const fate = anchor.branch === null ? "merged" : await fateOf(git, anchor, anchor.branch);
    const scope = fate === "merged" ? null : anchor.branch;
    const followed = await followedBy(place, { ...anchor, branch: scope });
    // A file that never was in git lies here still.
    const [now = followed] = code.check(checkout.root, [followed]);
    const isAsLearnt = now.state === "fresh" || now.state === "moved";
    if (fate === "deleted" && !isAsLearnt) deleted = anchor.branch;
    // Another branch says nothing of how a branch's own content stands.
    anchors.push(scope !== null && scope !== checkout.branch ? anchor : now);
  }
  return { anchors, deleted };
}

async function followedBy({ code, checkout, git }: Place, anchor: Anchor): Promise<Anchor> {
  const isGone = code.read(checkout.root, anchor.movedTo ?? anchor.path) === null;
  if (!isGone || anchor.commit === null) return anchor;
  const movedTo = (await git.renamesSince(anchor.commit)).get(anchor.path) ?? null;
  return movedTo === null ? anchor : { ...anchor, movedTo };
}

/**
 * Merged: the default branch has this content, or had it, in this file or where the file was moved to; so a squash is
 * a merge as well. Deleted: it does not, and the branch is neither here nor at a remote.
 */
async function fateOf(
  git: CodeHistory,
  { path, symbol, hash, commit }: Anchor,
  branch: string,
): Promise<"merged" | "open" | "deleted"> {
  const main = await git.defaultBranch();
  if (main === null) return "open";
  const sought = { path, symbol, hash };
  if (await isOnAny(git, main.refs, sought)) return "merged";
  const moved = commit === null ? undefined : (await git.renamesSince(commit)).get(path);
  for (const file of commit === null ? [] : moved === undefined ? [path] : [path, moved])
    for (const ref of main.refs) {
      const versions = await git.commitsSince(commit ?? "", ref, file);
      if (await isOnAny(git, versions.slice(0, versionsMax), { ...sought, path: file }))
        return "merged";
    }
  return (await git.hasBranch(branch)) === false ? "deleted" : "open";
}

/** Has one of these branches or commits this content? */
async function isOnAny(
  git: CodeHistory,
  refs: readonly string[],
  { path, symbol, hash }: Sought,
): Promise<boolean> {
  for (const ref of refs) {
    const text = await git.show(ref, path);
    if (text !== null && (hash === "" || contentHash(text, symbol) === hash)) return true;
  }
  return false;
}
