/** Memories: list, read, browse, look back and create by hand. */
import {
  type Candidate,
  type Category,
  communicationUri,
  idOfShort,
  type MemoryNode,
  treeRoot,
} from "#domain";
import { cutAtWord, err, ok, type Result } from "#kit";
import { canonicalUri, expiryAfterUse, isRememberCommand, limits, saysOnlySecrets } from "#memory";
import { isOnlyId, madeOf, namedAgain, wouldEnd } from "./agent-again.ts";
import { cleaned, type RememberAsk, type SaveAsk, type Saving } from "./candidate.ts";
import { lostBy, nearTo } from "./near.ts";
import type { Context, Written } from "./context.ts";
import { askingSession, formerlyAt, relationOf, speaksFor } from "./reader.ts";
import type { ServiceError } from "./errors.ts";
import type {
  MemoryJson,
  NodeJson,
  ProfileJson,
  RememberedJson,
  TreeEntryJson,
  TreeJson,
} from "../forms-memory.ts";
import { memoryToJson, nodePage, tokenCosts } from "./views.ts";
import { cursorAfter, type PageAsk, pageOf, projectKeyOf } from "./scope.ts";

interface ReadOptions {
  readonly use: boolean;
  /** Session that fetches it, which has seen it then; null = a person. */
  readonly reader?: string | null;
  readonly nowMs: number;
}

/** A profile page, not an inventory: more than a person reads. */
const profileMax = 200;

/** Shorter beginnings are slips rather than names. */
const nameCharsMin = 4;
/** Named in an error at most. */
const candidatesMax = 3;

/** The node that is meant: at a URI, by its short id, or by a beginning or last segment that no other leaf has. */
export function nodeAt(context: Context, given: string): Result<MemoryNode, ServiceError> {
  const exact = exactNodeAt(context, given);
  if (exact.ok || exact.error.type !== "memory.not-found" || given.trim().startsWith("#"))
    return exact;
  const uri = canonicalUri(given) ?? treeRoot;
  const kept = formerlyAt(context, uri);
  if (kept !== null) return ok(kept);
  const name = uri.slice(treeRoot.length);
  if (name.length < nameCharsMin) return exact;
  const { nodes } = context.store;
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
function exactNodeAt({ store }: Context, uri: string): Result<MemoryNode, ServiceError> {
  const id = idOfShort(uri);
  if (id !== null && uri.trim().startsWith("#")) return found(store.nodes.byId(id), uri);
  const canonical = canonicalUri(uri);
  if (canonical === null) return err({ type: "memory.uri-invalid", uri });
  const node = store.nodes.byUri(canonical);
  return found(node ?? (id === null ? null : store.nodes.byId(id)), uri);
}

/** The leaves of these names, all or none. */
export function exactLeavesAt(
  context: Context,
  names: readonly string[],
): Result<readonly MemoryNode[], ServiceError> {
  const leaves: MemoryNode[] = [];
  for (const name of names) {
    const node = exactNodeAt(context, name);
    if (!node.ok) return node;
    if (node.value.nodeType === "dir") return err({ type: "memory.is-directory", uri: name });
    leaves.push(node.value);
  }
  return ok(leaves);
}

const found = (node: MemoryNode | null, uri: string): Result<MemoryNode, ServiceError> =>
  node === null ? err({ type: "memory.not-found", uri }) : ok(node);

/** One node whole. `use` counts it as used (ignored on a read-only store). */
export function read(
  context: Context,
  uri: string,
  options: ReadOptions,
): Result<NodeJson, ServiceError> {
  const asked = nodeAt(context, uri);
  if (!asked.ok) return readRelation(context, uri, asked);
  const isUse = options.use && context.writable && asked.value.nodeType === "leaf";
  if (isUse) journalFetch(context, asked.value, options);
  const node = isUse ? used(context, asked.value, options.nowMs) : asked.value;
  return ok(nodePage(context, node));
}

/** The relational profile has an address and no memory of its own. */
function readRelation<Failure>(
  context: Context,
  uri: string,
  failure: Result<never, Failure>,
): Result<NodeJson, Failure> {
  const relation = canonicalUri(uri) === communicationUri ? relationOf(context) : null;
  return relation === null ? failure : ok(nodePage(context, relation));
}

/** `journalFetch` notes the session that fetched a memory: it need not be told again. */
function journalFetch(context: Context, node: MemoryNode, options: ReadOptions): void {
  const { store } = context;
  const { reader, nowMs: atMs } = options;
  if (reader === undefined || reader === null) return;
  const { id: nodeId, uri } = node;
  const sessionId = speaksFor(context, reader);
  store.exposure.add([{ sessionId, nodeId, uri, channel: "fetch", atMs }]);
}

/**
 * Records a deliberate fetch. What the archive keeps for a while lives on for the span it had; the end of a memory was
 * stated, and reading does not move it (docs/design/memory.md, "Lifecycle").
 */
function used({ store }: Context, node: MemoryNode, atMs: number): MemoryNode {
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

export function tree(
  context: Context,
  asked: string,
  ask: PageAsk,
): Result<TreeJson, ServiceError> {
  const { store } = context;
  const page = pageOf(ask);
  if (!page.ok) return page;
  const directory = directoryAt(context, asked);
  if (!directory.ok) return directory;
  const uri = directory.value;
  const total = store.nodes.countChildren(uri);
  return ok({
    uri,
    items: store.nodes.children(uri, page.value).map((node) => entryOf(context, node)),
    total,
    next_cursor: cursorAfter(page.value, total),
  });
}

/** The canonical URI to list; the root always exists, even in an empty tree. */
function directoryAt(context: Context, asked: string): Result<string, ServiceError> {
  if (canonicalUri(asked) === treeRoot) return ok(treeRoot);
  const node = nodeAt(context, asked);
  return node.ok ? ok(node.value.uri) : node;
}

const entryOf = ({ store }: Context, node: MemoryNode): TreeEntryJson => ({
  uri: node.uri,
  node_type: node.nodeType,
  l0: node.l0,
  category: node.category,
  project: node.project,
  status: node.status,
  leaves: node.nodeType === "dir" ? store.nodes.countBelow(node.uri) : 0,
  tokens: tokenCosts(node.l0, node.l1, node.l2),
});

/** `project`: key or name; null = global and all projects. */
export function profile(
  context: Context,
  project: string | null,
): Result<ProfileJson, ServiceError> {
  const { store } = context;
  const key = projectKeyOf(context, project);
  if (!key.ok) return key;
  const projects = key.value === null ? null : [key.value];
  const of = (category: Category): readonly MemoryJson[] =>
    store.nodes
      .list({ projects, categories: [category], statuses: ["active"] }, "importance", {
        limit: profileMax,
      })
      .map(memoryToJson);
  const relation = relationOf(context);
  return ok({
    communication: relation === null ? null : memoryToJson(relation),
    profile: of("profile").filter(({ uri }) => uri !== communicationUri),
    preferences: of("preferences"),
  });
}

/** True in a turn whose prompt a program sent, unless the prompt is `/remember`. */
function isUnasked({ store: { sessions } }: Context, { sessionId }: RememberAsk): boolean {
  const turn = sessionId === null ? null : sessions.currentTurn(sessionId);
  return turn?.isHeadless === true && !isRememberCommand(turn.prompt);
}

/**
 * `faultOf` gives the reason why `text` is not stored; null = nothing speaks against it. `text`
 * null: all of it was private.
 */
function faultOf(context: Context, ask: RememberAsk, text: string | null): ServiceError | null {
  if (ask.by === "agent" && isUnasked(context, ask)) return { type: "session.headless" };
  const { sessionId, quote, subject, attribute } = ask;
  const said = [ask.text, quote, subject, attribute].join("\n");
  if (ask.by === "agent" && sessionId !== null && context.memoryWriter.isQuiet(sessionId, said))
    return { type: "session.private" };
  if (text === null) return { type: "memory.private" };
  if (text === "") return { type: "memory.empty" };
  if (isOnlyId(text, ask) && namedAgain(context, text, ask) === null)
    return { type: "memory.only-id", id: text };
  return saysOnlySecrets(text) ? { type: "memory.only-secret" } : null;
}

/** Creation by hand: origin `user`, through the privacy gate, lifts a forgotten fingerprint. */
export function remember(
  context: Context,
  asked: RememberAsk,
): Result<RememberedJson, ServiceError> {
  const sessionId = askingSession(context, asked);
  const ask = { ...asked, sessionId };
  const gated = cleaned(context, ask);
  const whole = gated.text.trim();
  const text = cutAtWord(whole, limits.l2CharsMax);
  const fault = faultOf(context, ask, gated.whollyPrivate ? null : text);
  if (fault !== null) return err(fault);
  const project = projectKeyOf(context, ask.project);
  if (!project.ok) return project;
  const old = exactLeavesAt(context, ask.replaces ?? []);
  if (!old.ok) return old;
  noteFolder(context, ask, project.value);
  const { plan, node, doubt, cure } = context.store.transaction(() =>
    writeByName(context, text, {
      ...ask,
      quote: gatedOf(context, ask.quote),
      subject: gatedOf(context, ask.subject),
      attribute: gatedOf(context, ask.attribute),
      old: old.value,
      project: project.value,
    }),
  );
  if (node === null) return err({ type: "memory.forgotten" });
  const outcome = outcomeOf(context, node, plan, {
    doubt: doubt ?? stillHolding(context, old.value, node),
    cure,
  });
  const ended = endedAmong(context, old.value, node);
  return ok({
    ...outcome,
    memory: memoryToJson(node),
    replaced: ended.map(({ uri }) => uri),
    lost: ask.by === "agent" ? lostBy(context, node, ask.nowMs) : [],
    near: ask.by === "agent" ? offeredBeside(context, node, { ...ask, text, old: old.value }) : [],
    redactions: gated.redactions,
    // An ellipsis stands at the end of what was cut.
    cut_characters: text === whole ? 0 : whole.length - text.length + 1,
  });
}

/** Near memories, without those that the save may not end: the call that names them would be refused. */
const offeredBeside = (
  context: Context,
  node: MemoryNode,
  { old, ...ask }: SaveAsk,
): RememberedJson["near"] => {
  const line = isOnlyId(ask.text, ask) ? node.l0 : ask.text;
  return nearTo(context, node, { old, nowMs: ask.nowMs, line }).filter(({ uri }) => {
    const one = context.store.nodes.byUri(uri);
    return one !== null && wouldEnd(context, node, one, ask);
  });
};

/** Notes the folder of the project that is worked in, where something is remembered of it. */
function noteFolder(
  { memoryWriter }: Context,
  { home, root }: RememberAsk,
  project: string | null,
) {
  if (root !== undefined && project !== null && project === home)
    memoryWriter.noteFolder(project, root);
}

const gatedOf = ({ gate }: Context, text: string | null | undefined): string | null =>
  text == null ? null : gate.clean(text).text;

const outcomeOf = (
  { store }: Context,
  { id, status }: MemoryNode,
  plan: WrittenByName["plan"],
  { doubt, cure }: Pick<WrittenByName, "cure" | "doubt">,
) =>
  status === "pending"
    ? { action: "waits" as const, reason: joined([store.history.latest(id)?.reason, cure]) }
    : { action: actionByPlan[plan], reason: doubt };

const joined = (reasons: readonly (string | null | undefined)[]): string | null =>
  reasons.filter((reason) => reason != null).join("; ") || null;

/** Says which of the memories that were named did not end: one that is newer than what should take its place. */
function stillHolding(
  { store }: Context,
  old: readonly MemoryNode[],
  { id, status }: MemoryNode,
): string | null {
  if (status !== "active") return null;
  const kept = store.nodes
    .byIds(old.map((one) => one.id))
    .filter((one) => one.status === "active" && one.id !== id);
  return kept.length === 0 ? null : `still in force: ${kept.map(({ uri }) => uri).join(", ")}`;
}

/** Memories that were in force before and are not now. */
const endedAmong = (
  { store }: Context,
  old: readonly MemoryNode[],
  node: MemoryNode,
): readonly MemoryNode[] =>
  store.nodes
    .byIds(old.filter(({ status }) => status === "active").map(({ id }) => id))
    .filter(({ id, status }) => status === "superseded" && id !== node.id);

const actionByPlan = {
  create: "created",
  supersede: "superseded",
  skip: "known",
} as const;

const triesMax = 100;

/** A save of the same session and the same thing, or `again`, that waits for review gives way to the new try. */
function dropEarlierTries(
  { store }: Context,
  { evidence, l0, slot, atMs, origin }: Candidate,
  again: MemoryNode | null,
): void {
  const { sessionId: session } = evidence;
  const waiting = store.nodes.list({ projects: null, session, statuses: ["pending"] }, "recent", {
    limit: triesMax,
  });
  for (const node of waiting) {
    const isSame = node.id === again?.id || node.l0 === l0 || (slot != null && node.slot === slot);
    const isWeaker = node.origin === "user" && origin !== "user";
    if (node.maker !== "manual" || !isSame || isWeaker) continue;
    const cause = { atMs, action: "retract", by: "agent", reason: "saved again" } as const;
    store.nodes.update(node.id, { status: "retracted", validTo: atMs }, cause);
  }
}

type WrittenByName = Written & Omit<Saving, "candidate">;

function writeByName(context: Context, text: string, ask: SaveAsk): WrittenByName {
  const again = namedAgain(context, text, ask);
  const { candidate, doubt, cure } = madeOf(context, again, { ...ask, text });
  // The user's asking for it by name outranks an earlier "forget"; an agent's does not.
  if (candidate.origin === "user")
    for (const wording of [text, candidate.l0, candidate.evidence.quote])
      context.store.nodes.unforget(wording);
  if (ask.by === "agent") dropEarlierTries(context, candidate, again);
  return { ...context.memoryWriter.write(candidate, ask.by), doubt, cure };
}
