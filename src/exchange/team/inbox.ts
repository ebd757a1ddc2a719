/**
 * Takes in what members send. Every item is kept by project, member and id; whether it is in force
 * follows from all of them together, so that every order leaves the same (docs/team.md). Words are
 * kept in the memory alone.
 */
import {
  categoryRules,
  type MemoryNode,
  type NodeStatus,
  type TeamItem,
  type TeamRow,
  type TeamSender,
  type TeamText,
} from "#domain";
import { isoDate, sha256 } from "#kit";
import { checkedItem, cleanName, cleanText, hashOf, sameLine, type TeamContext } from "./text.ts";

/** Members of a repository's files, which no hub knows. */
export const repoPrefix = "repo:";

const memberPattern = /^[0-9a-z._:-]{1,64}$/;

/** Takes what arrives, in any order and any number of times. What is not understood is counted and left out. */
export function acceptItems(
  deps: TeamContext,
  from: TeamSender,
  project: string,
  items: readonly unknown[],
): { readonly taken: number; readonly refused: number } {
  const isKnown = memberPattern.test(from.member) && !from.member.startsWith(repoPrefix);
  const checked = isKnown ? items.flatMap((item) => checkedItem(item) ?? []) : [];
  takeAll(
    deps,
    checked.map((item) => ({ from, project, item })),
  );
  return { taken: checked.length, refused: items.length - checked.length };
}

/** The member left, or lost the project (null = all of them): what he gave is withdrawn. */
export const withdrawItems = (deps: TeamContext, member: string, project: string | null): void =>
  withdrawRows(
    deps,
    deps.store.team.items(project).filter((row) => row.member === member),
  );

/** Takes rows back without a word of their senders: the same item may come again. */
export function withdrawRows(deps: TeamContext, rows: readonly TeamRow[]): void {
  deps.store.transaction(() => {
    const gone = rows.map((row) => ({ ...row, hash: "" }));
    gone.forEach(deps.store.team.putItem);
    settle(deps, gone);
  });
}

export interface Arriving {
  readonly from: TeamSender;
  readonly project: string;
  readonly item: TeamItem;
  /** The name is what a file says, and nothing bears it out. */
  readonly isUnverified?: boolean;
}

/** Takes items that were checked. What their senders forgot goes without a trace. */
export function takeAll(deps: TeamContext, arriving: readonly Arriving[]): void {
  const { store } = deps;
  const gone: MemoryNode[] = [];
  store.transaction(() => {
    const touched = arriving.flatMap((one) => take(deps, one, gone) ?? []);
    settle(deps, touched);
  });
  if (gone.length === 0) return;
  // Nothing of it stays; that it may be learnt here again is another matter.
  const wanted = gone.filter(({ l0 }) => !store.nodes.isForgotten(l0));
  deps.forget(gone.map(({ uri }) => uri));
  for (const { l0 } of wanted) store.nodes.unforget(l0);
}

function take(deps: TeamContext, arriving: Arriving, gone: MemoryNode[]): TeamRow | null {
  const { store } = deps;
  const { from, project, item } = arriving;
  const key = { project, member: from.member, item: item.id };
  const before = store.team.item(key);
  const hash = item.text === null ? "" : hashOf(item.text);
  if (before !== null && isKnown(before, item.clock, hash)) return null;
  const node = teamNode(deps, before);
  let { nodeId, stood }: { nodeId: number | null; stood: NodeStatus | null } = before ?? nothing;
  if (item.text !== null) {
    const written = write(deps, arriving, { node, before });
    nodeId = written?.id ?? nodeId;
    stood = written?.status ?? null;
  } else if (item.isForgotten === true && node !== null) {
    gone.push(node);
    ({ nodeId, stood } = nothing);
  }
  const row = { ...key, clock: item.clock, hash, nodeId, stood };
  store.team.putItem(row);
  return row;
}

const nothing = { nodeId: null, stood: null };

/** When clocks are equal one of the two holds, whoever came first. */
const isKnown = (row: TeamRow, clock: number, hash: string): boolean =>
  clock < row.clock || (clock === row.clock && hash <= row.hash);

/** The memory of a row as long as it is the sender's: one that the user adopted is not. */
function teamNode({ store }: TeamContext, row: TeamRow | null): MemoryNode | null {
  const node = row === null || row.nodeId === null ? null : store.nodes.byId(row.nodeId);
  return node?.origin === "team" ? node : null;
}

function write(
  deps: TeamContext,
  { from, project, item, isUnverified = false }: Arriving,
  was: { readonly node: MemoryNode | null; readonly before: TeamRow | null },
): MemoryNode | null {
  const { store, clock } = deps;
  const known = was.before?.nodeId ?? null;
  // A memory that the user adopted is theirs.
  const isAdopted = was.node === null && known !== null && store.nodes.byId(known) !== null;
  if (isAdopted || item.text === null) return null;
  const text = cleanText(deps, item.text, clock.nowMs());
  if (text === null || store.nodes.isForgotten(text.l0)) return was.node;
  const author = `${cleanName(from.name)}${isUnverified ? " (unverified)" : ""}`;
  const key = sha256(`${project}\n${from.member}\n${item.id}`, 8);
  const fields = fieldsOf(text, project, key);
  if (was.node !== null) {
    store.team.nameAuthor(was.node.id, author);
    return store.nodes.update(
      was.node.id,
      { ...fields, validTo: null },
      { atMs: text.saidAt, action: "edit", by: "team", reason: `changed by ${author}` },
    );
  }
  return store.nodes.insert(
    { ...fields, origin: "team", author, maker: "import", status: "pending" },
    { atMs: text.saidAt, action: "create", by: "team", reason: `from ${author}` },
  );
}

const slugCharsMax = 48;

function fieldsOf({ saidAt, ...text }: TeamText, project: string, key: string) {
  const words = text.l0.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const slug = words.slice(0, 6).join("-").slice(0, slugCharsMax);
  const { root, dated } = categoryRules[text.category];
  const name = [dated ? isoDate(saidAt) : "", slug, key].filter((part) => part !== "");
  return { ...text, uri: `${root}/${name.join("-")}`, project };
}

/** Own current memories that are looked at for the same words. */
const ownMax = 5_000;

interface Standing {
  readonly status: NodeStatus;
  readonly reason: string;
  /** Holds against what a person decided before. */
  readonly isForced: boolean;
}

/** Brings these rows, and those that want the same slots, in step with all that is known. */
export function settle(deps: TeamContext, touched: readonly TeamRow[]): void {
  const { store } = deps;
  const due = new Map<number, TeamRow>();
  const add = (row: TeamRow): void => void (row.nodeId !== null && due.set(row.nodeId, row));
  for (const row of touched) {
    add(row);
    const slot = teamNode(deps, row)?.slot ?? null;
    if (slot !== null) store.team.inSlot(row.project, slot).forEach(add);
  }
  const own = new Map<string, ReadonlySet<string>>();
  const isOwn = (node: MemoryNode): boolean => {
    const project = node.project ?? "";
    if (!own.has(project)) own.set(project, ownLines(deps, project));
    return own.get(project)?.has(sameLine(node.l0)) ?? false;
  };
  const isMuted = mutedIn(deps);
  for (const row of due.values()) {
    const node = teamNode(deps, row);
    if (node === null) continue;
    put(deps, { row, node }, standingOf(deps, { row, node }, { isMuted, isOwn }));
  }
}

const ownLines = ({ store }: TeamContext, project: string): ReadonlySet<string> =>
  new Set(
    store.nodes
      .outlines({ projects: [project], statuses: ["active"] }, "recent", {
        limit: ownMax,
      })
      .filter(({ origin }) => origin !== "team")
      .map(({ l0 }) => sameLine(l0)),
  );

function mutedIn({ store }: TeamContext): (row: TeamRow) => boolean {
  const muted = store.team.muted();
  return (row) => muted.some(({ what, value }) => row[what] === value);
}

interface Held {
  readonly row: TeamRow;
  readonly node: MemoryNode;
}

interface Asked {
  readonly isMuted: (row: TeamRow) => boolean;
  /** The user knows these words already. */
  readonly isOwn: (node: MemoryNode) => boolean;
}

/** `contradiction` names whoever says something else of the same slot, and where; null = nobody. */
function contradiction(deps: TeamContext, { row, node }: Held, asked: Asked): string | null {
  const { store } = deps;
  const { slot } = node;
  if (slot === null) return null;
  const own = [node.project, null]
    .flatMap((project) => store.nodes.bySlot(project, slot))
    .find(({ origin }) => origin === "user");
  if (own !== undefined) return `you say otherwise: ${own.uri}`;
  const other = store.team
    .inSlot(row.project, slot)
    .filter((one) => one.member !== row.member && one.hash !== "" && !asked.isMuted(one))
    .filter((one) => !isRejected(deps, one))
    .flatMap((one) => teamNode(deps, one) ?? [])
    .find((one) => sameLine(one.l0) !== sameLine(node.l0) && !asked.isOwn(one));
  return other === undefined ? null : `${other.author ?? ""} says otherwise: ${other.uri}`;
}

function standingOf(deps: TeamContext, { row, node }: Held, asked: Asked): Standing {
  const { store } = deps;
  const away = (reason: string): Standing => ({ status: "retracted", reason, isForced: true });
  if (row.hash === "") return away("withdrawn by its sender");
  if (asked.isMuted(row)) return away("muted");
  if (store.nodes.isForgotten(node.l0)) return away("forgotten here");
  if (asked.isOwn(node)) return away("known here already");
  const from = `from ${node.author ?? ""}`;
  const otherwise = contradiction(deps, { row, node }, asked);
  if (otherwise !== null)
    return { status: "pending", reason: `${from}; ${otherwise}`, isForced: false };
  // The user has read a repository's files before they were trusted.
  const isLive =
    row.member.startsWith(repoPrefix) || store.team.rule(row.project)?.arrive === "live";
  return { status: isLive ? "active" : "pending", reason: from, isForced: false };
}

/** A person said no to it. */
const isRejected = (deps: TeamContext, row: TeamRow): boolean =>
  teamNode(deps, row)?.status === "retracted" && row.stood !== "retracted";

function put(deps: TeamContext, { row, node }: Held, standing: Standing): void {
  const { store, clock } = deps;
  const isDecided = row.stood !== null && node.status !== row.stood;
  if (isDecided && !standing.isForced) return;
  const { status, reason } = standing;
  if (row.stood !== status) store.team.putItem({ ...row, stood: status });
  if (node.status === status && store.history.latest(node.id)?.reason === reason) return;
  const isAway = status === "retracted";
  const after = store.nodes.update(
    node.id,
    { status, validTo: isAway ? clock.nowMs() : null },
    { atMs: node.updatedAt, action: isAway ? "retract" : "edit", by: "team", reason },
  );
  if (!isAway) deps.index(after);
}
