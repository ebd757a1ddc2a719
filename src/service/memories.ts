/** Memories: list, read, browse, look back and create by hand. */
import {
  type Candidate,
  type Category,
  communicationUri,
  type GateDep,
  idOfShort,
  type MemoryNode,
  shortIdOf,
  type StoreDep,
  treeRoot,
} from "#domain";
import { cutAtWord, err, ok, type Result } from "#kit";
import {
  canonicalUri,
  contentWords,
  expiryAfterUse,
  isRememberCommand,
  limits,
  saysOnlySecrets,
  sharedCount,
} from "#memory";
import { candidateOf, type RememberAsk } from "./candidate.ts";
import type { FinderDep, MemoryWriterDep, Written } from "./deps.ts";
import { askingSession, formerlyAt, relationOf, speaksFor } from "./reader.ts";
import type { ServiceError } from "./errors.ts";
import { listMemories, type ListAsk } from "./list.ts";
import type {
  MemoryJson,
  MemoryPageJson,
  NodeJson,
  ProfileJson,
  RememberedJson,
  TreeEntryJson,
  TreeJson,
} from "#api";
import { memoryToJson, nodePage, tokenCosts } from "./views.ts";
import { cursorAfter, type PageAsk, pageOf, projectKeyOf } from "./scope.ts";

interface ReadOptions {
  readonly use: boolean;
  /** Session that fetches it, which has seen it then; null = a person. */
  readonly reader?: string | null;
  readonly nowMs: number;
}

export interface MemoriesApi {
  readonly list: (ask: ListAsk) => Result<MemoryPageJson, ServiceError>;
  /** One node whole. `use` counts it as used (ignored on a read-only store). */
  readonly read: (uri: string, options: ReadOptions) => Result<NodeJson, ServiceError>;
  readonly tree: (uri: string, page: PageAsk) => Result<TreeJson, ServiceError>;
  /** `project`: key or name; null = global and all projects. */
  readonly profile: (project: string | null) => Result<ProfileJson, ServiceError>;
  /** Creation by hand: origin `user`, through the privacy gate, lifts a forgotten fingerprint. */
  readonly remember: (ask: RememberAsk) => Result<RememberedJson, ServiceError>;
}

type Deps = FinderDep & GateDep & MemoryWriterDep & StoreDep & { readonly writable: boolean };

/** A profile page, not an inventory: more than a person reads. */
const profileMax = 200;

export const createMemoriesApi = (deps: Deps): MemoriesApi => ({
  list: (ask) => listMemories(deps, ask),
  read: (uri, options) => read(deps, uri, options),
  tree: (uri, page) => tree(deps, uri, page),
  profile: (project) => profile(deps, project),
  remember: (ask) => remember(deps, ask),
});

/** Shorter beginnings are slips rather than names. */
const nameCharsMin = 4;
/** Named in an error at most. */
const candidatesMax = 3;

/** The node that is meant: at a URI, by its short id, or by a beginning or last segment that no other leaf has. */
export function nodeAt(deps: StoreDep, given: string): Result<MemoryNode, ServiceError> {
  const exact = exactNodeAt(deps, given);
  if (exact.ok || exact.error.type !== "memory.not-found" || given.trim().startsWith("#"))
    return exact;
  const canonical = canonicalUri(given);
  const uri = canonical.ok ? canonical.value : treeRoot;
  const kept = formerlyAt(deps, uri);
  if (kept !== null) return ok(kept);
  const name = uri.slice(treeRoot.length);
  if (name.length < nameCharsMin) return exact;
  const { nodes } = deps.store;
  const fitting = name.includes("/")
    ? nodes.byUriStart(uri, candidatesMax + 1)
    : nodes.byName(name, candidatesMax + 1);
  const [only, ...others] = fitting;
  if (only === undefined) return exact;
  if (others.length === 0) return ok(only);
  const candidates = fitting.slice(0, candidatesMax).map((node) => node.uri);
  return err({ type: "memory.ambiguous", uri: given, candidates });
}

/**
 * The node at a URI, or by its short id (`#4k`; `4k` where no URI is spelled so, since a shell reads `#` as a comment);
 * or why there is none. For what cannot be undone: there a beginning does not do.
 */
export function exactNodeAt({ store }: StoreDep, uri: string): Result<MemoryNode, ServiceError> {
  const id = idOfShort(uri);
  if (id !== null && uri.trim().startsWith("#")) return found(store.nodes.byId(id), uri);
  const canonical = canonicalUri(uri);
  if (!canonical.ok) return err({ type: "memory.uri-invalid", uri });
  const node = store.nodes.byUri(canonical.value);
  return found(node ?? (id === null ? null : store.nodes.byId(id)), uri);
}

const found = (node: MemoryNode | null, uri: string): Result<MemoryNode, ServiceError> =>
  node === null ? err({ type: "memory.not-found", uri }) : ok(node);

function read(deps: Deps, uri: string, options: ReadOptions): Result<NodeJson, ServiceError> {
  const asked = nodeAt(deps, uri);
  if (!asked.ok) return readRelation(deps, uri, asked);
  const isUse = options.use && deps.writable && asked.value.nodeType === "leaf";
  if (isUse) journalFetch(deps, asked.value, options);
  const node = isUse ? used(deps, asked.value, options.nowMs) : asked.value;
  return ok(nodePage(deps, node));
}

/** The relational profile has an address and no memory of its own. */
function readRelation<Failure>(
  deps: StoreDep,
  uri: string,
  failure: Result<never, Failure>,
): Result<NodeJson, Failure> {
  const canonical = canonicalUri(uri);
  const relation = canonical.ok && canonical.value === communicationUri ? relationOf(deps) : null;
  return relation === null ? failure : ok(nodePage(deps, relation));
}

/** Which session fetched it: it need not be told again. */
function journalFetch({ store }: Deps, node: MemoryNode, options: ReadOptions): void {
  const { reader, nowMs: atMs } = options;
  if (reader === undefined || reader === null) return;
  const { id: nodeId, uri } = node;
  const sessionId = speaksFor({ store }, reader);
  store.exposure.add([{ sessionId, nodeId, uri, channel: "fetch", atMs }]);
}

/**
 * Records a deliberate fetch. What the archive keeps for a while lives on for the span it had; the end of a memory was
 * stated, and reading does not move it (docs/design/memory.md, "Lifecycle").
 */
function used({ store }: Deps, node: MemoryNode, atMs: number): MemoryNode {
  return store.transaction(() => {
    store.nodes.use(node.id, atMs);
    const expiresAt = node.category === "sessions" ? expiryAfterUse(node, atMs) : null;
    if (expiresAt !== null) {
      const reason = "used, so its expiry was extended";
      store.nodes.update(node.id, { expiresAt }, { atMs, action: "reinforce", by: "user", reason });
    }
    return store.nodes.byId(node.id) ?? node;
  });
}

function tree({ store }: Deps, asked: string, ask: PageAsk): Result<TreeJson, ServiceError> {
  const page = pageOf(ask);
  if (!page.ok) return page;
  const directory = directoryAt({ store }, asked);
  if (!directory.ok) return directory;
  const uri = directory.value;
  const total = store.nodes.countChildren(uri);
  return ok({
    uri,
    items: store.nodes.children(uri, page.value).map((node) => entryOf({ store }, node)),
    total,
    next_cursor: cursorAfter(page.value, total),
  });
}

/** The canonical URI to list; the root always exists, even in an empty tree. */
function directoryAt(deps: StoreDep, asked: string): Result<string, ServiceError> {
  const canonical = canonicalUri(asked);
  if (canonical.ok && canonical.value === treeRoot) return ok(treeRoot);
  const node = nodeAt(deps, asked);
  return node.ok ? ok(node.value.uri) : node;
}

const entryOf = ({ store }: StoreDep, node: MemoryNode): TreeEntryJson => ({
  uri: node.uri,
  node_type: node.nodeType,
  l0: node.l0,
  category: node.category,
  project: node.project,
  status: node.status,
  leaves: node.nodeType === "dir" ? store.nodes.countBelow(node.uri) : 0,
  tokens: tokenCosts(node),
});

function profile({ store }: Deps, project: string | null): Result<ProfileJson, ServiceError> {
  const key = project === null ? ok(null) : projectKeyOf({ store }, project);
  if (!key.ok) return key;
  const projects = key.value === null ? null : [key.value];
  const of = (category: Category): readonly MemoryJson[] =>
    store.nodes
      .list({ projects, categories: [category], statuses: ["active"] }, "importance", {
        limit: profileMax,
        offset: 0,
      })
      .map(memoryToJson);
  const relation = relationOf({ store });
  return ok({
    communication: relation === null ? null : memoryToJson(relation),
    profile: of("profile").filter(({ uri }) => uri !== communicationUri),
    preferences: of("preferences"),
  });
}

/** True in a turn whose prompt a program sent, unless the prompt is `/remember`. */
function isUnasked({ store: { sessions } }: StoreDep, { sessionId }: RememberAsk): boolean {
  const turn = sessionId === null ? null : sessions.currentTurn(sessionId);
  return turn?.isHeadless === true && !isRememberCommand(turn.prompt);
}

/** Why `text` is not stored; null = nothing speaks against it. `text` null: all of it was private. */
function faultOf(deps: Deps, ask: RememberAsk, text: string | null): ServiceError | null {
  if (!deps.writable) return { type: "service.read-only" };
  if (ask.by === "agent" && isUnasked(deps, ask)) return { type: "session.headless" };
  if (ask.by === "agent" && ask.sessionId !== null && deps.memoryWriter.isQuiet(ask.sessionId))
    return { type: "session.private" };
  if (text === null) return { type: "memory.private" };
  if (text === "") return { type: "memory.empty" };
  return saysOnlySecrets(text) ? { type: "memory.only-secret" } : null;
}

function remember(deps: Deps, asked: RememberAsk): Result<RememberedJson, ServiceError> {
  const sessionId = askingSession(deps, asked);
  const ask = { ...asked, sessionId };
  const gated = deps.gate.clean(ask.text);
  const whole = gated.text.trim();
  const text = cutAtWord(whole, limits.l2CharsMax);
  const fault = faultOf(deps, ask, gated.whollyPrivate ? null : text);
  if (fault !== null) return err(fault);
  const project = ask.project === null ? ok(null) : projectKeyOf(deps, ask.project);
  if (!project.ok) return project;
  const old = namedIn(deps, ask.replaces ?? []);
  if (!old.ok) return old;
  noteFolder(deps, ask, project.value);
  const { plan, node, doubt } = deps.store.transaction(() =>
    writeByName(deps, text, {
      ...ask,
      quote: gatedOf(deps, ask.quote),
      subject: gatedOf(deps, ask.subject),
      attribute: gatedOf(deps, ask.attribute),
      old: old.value,
      project: project.value,
    }),
  );
  if (node === null) return err({ type: "memory.forgotten" });
  const outcome = outcomeOf(deps, node, { plan, doubt });
  const isRefused = ({ uri }: { readonly uri: string }): boolean =>
    outcome.reason?.includes(uri) === true;
  const besides = { besides: old.value, nowMs: ask.nowMs };
  return ok({
    ...outcome,
    memory: memoryToJson(node),
    replaced: endedAmong(deps, old.value, node),
    // A memory that the quote may not end is not offered again.
    near: ask.by === "agent" ? nearTo(deps, node, besides).filter((one) => !isRefused(one)) : [],
    redactions: gated.redactions,
    // An ellipsis stands at the end of what was cut.
    cut_characters: text === whole ? 0 : whole.length - text.length + 1,
  });
}

/** Notes the folder of the project that something is remembered of where it is the one that is worked in. */
function noteFolder(
  { memoryWriter }: Deps,
  { home, root }: RememberAsk,
  project: string | null,
): void {
  if (root !== undefined && project !== null && project === home)
    memoryWriter.noteFolder(project, root);
}

const gatedOf = ({ gate }: GateDep, text: string | null | undefined): string | null =>
  text == null ? null : gate.clean(text).text;

/** The memories that are named, all or none. */
function namedIn(
  deps: StoreDep,
  names: readonly string[],
): Result<readonly MemoryNode[], ServiceError> {
  const found: MemoryNode[] = [];
  for (const name of names) {
    const node = exactNodeAt(deps, name);
    if (!node.ok) return node;
    found.push(node.value);
  }
  return ok(found);
}

function outcomeOf(
  { store }: StoreDep,
  node: MemoryNode,
  { plan, doubt }: Pick<WrittenByName, "plan" | "doubt">,
): Pick<RememberedJson, "action" | "reason"> {
  if (node.status !== "pending") return { action: actionByPlan[plan], reason: doubt };
  return { action: "waits", reason: store.history.latest(node.id)?.reason ?? null };
}

/** URIs of what was in force before and is not now. */
const endedAmong = ({ store }: StoreDep, old: readonly MemoryNode[], node: MemoryNode): string[] =>
  store.nodes
    .byIds(old.filter(({ status }) => status === "active").map(({ id }) => id))
    .filter(({ id, status }) => status === "superseded" && id !== node.id)
    .map(({ uri }) => uri);

const nearMax = 3;

/** Memories in force that may say the same as a new one, not named by it: of the same slot, or of half of its words. */
const nearTo = (
  { finder, store }: Deps,
  node: MemoryNode,
  { besides, nowMs }: { readonly besides: readonly MemoryNode[]; readonly nowMs: number },
): RememberedJson["near"] => {
  const known = new Set([node, ...besides].map(({ id }) => id));
  const found = finder.find({
    text: node.l0,
    kinds: ["memory"],
    projects: node.project === null ? [] : [node.project],
    homeProject: node.project,
    statuses: ["active"],
    limit: nearMax + known.size,
    sort: "relevance",
    nowMs,
  });
  return found
    .flatMap(({ uri }) => store.nodes.byUri(uri) ?? [])
    .filter((one) => !known.has(one.id) && isNear(one, node))
    .slice(0, nearMax)
    .map(({ id, uri, l0 }) => ({ id: shortIdOf(id), uri, l0 }));
};

const nearShareMin = 0.5;

function isNear(one: MemoryNode, node: MemoryNode): boolean {
  if (node.slot !== null && one.slot === node.slot) return true;
  const a = new Set(contentWords(one.l0));
  const b = new Set(contentWords(node.l0));
  const least = Math.min(a.size, b.size);
  return least > 0 && sharedCount(a, b) >= least * nearShareMin;
}

const actionByPlan = {
  create: "created",
  merge: "merged",
  supersede: "superseded",
  skip: "known",
} as const;

const triesMax = 100;

/** A save of the same session and the same thing that waits for review gives way to the new try. */
function dropEarlierTries(
  { store }: StoreDep,
  { evidence, l0, slot, atMs, origin }: Candidate,
): void {
  const { sessionId: session } = evidence;
  const waiting = store.nodes.list({ projects: null, session, statuses: ["pending"] }, "recent", {
    limit: triesMax,
    offset: 0,
  });
  for (const node of waiting) {
    const isSame = node.l0 === l0 || (slot != null && node.slot === slot);
    const isWeaker = node.origin === "user" && origin !== "user";
    if (node.maker !== "manual" || !isSame || isWeaker) continue;
    const cause = { atMs, action: "retract", by: "agent", reason: "saved again" } as const;
    store.nodes.update(node.id, { status: "retracted", validTo: atMs }, cause);
  }
}

interface WrittenByName extends Written {
  /** Why words that were quoted do not count as the user's. */
  readonly doubt: string | null;
}

function writeByName(
  deps: Deps,
  text: string,
  ask: RememberAsk & { readonly old: readonly MemoryNode[] },
): WrittenByName {
  const { candidate, doubt } = candidateOf(deps, text, ask);
  // The user's asking for it by name outranks an earlier "forget"; an agent's does not.
  if (candidate.origin === "user")
    for (const wording of [text, candidate.l0, candidate.evidence.quote])
      if (deps.store.nodes.isForgotten(wording)) deps.store.nodes.unforget(wording);
  if (ask.by === "agent") dropEarlierTries(deps, candidate);
  return { ...deps.memoryWriter.write(candidate, ask.by), doubt };
}
