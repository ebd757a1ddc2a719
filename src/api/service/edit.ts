/**
 * Changes by hand: text, tags, weight, pin, category, and putting a memory away. Every change is a revision, so every
 * one can be undone; forgetting is another matter (forget.ts).
 */
import {
  type Category,
  communicationUri,
  type MemoryNode,
  type NodePatch,
  type Revision,
  type RevisionAction,
  type RevisionCause,
} from "#domain";
import { cutAtWord, cutToTokens, err, isoDate, ok, oneLine, type Result } from "#kit";
import { freshLeafUri, limits, slugOf } from "#memory";
import type { NodeJson } from "../forms-memory.ts";
import type { ServiceError } from "./errors.ts";
import { nodePage } from "./views.ts";
import { projectKeyOf } from "./scope.ts";
import { nodeAt } from "./memories.ts";
import type { Body, Context, Timed } from "./context.ts";

/** The fields that the user may edit; absent = as it is. */
type Edit = NonNullable<Body<"POST /api/review/:id">["edit"]>;

export type EditAsk = Body<"PATCH /api/nodes"> &
  Timed & {
    readonly uri: string;
    /** The revision that the asker has seen; null = whatever there is. */
    readonly expected: number | null;
  };

const tagsMax = 20;
const tagCharsMax = 100;

/** Changes a memory by hand. Without any difference nothing is written. */
export function edit(context: Context, ask: EditAsk): Result<NodeJson, ServiceError> {
  const found = leafToChange(context, ask.uri, ask.expected);
  if (!found.ok) return found;
  const { node } = found.value;
  if (node.status === "pending" && ask.status !== undefined)
    return err({ type: "memory.pending", uri: node.uri });
  const texts = patchOf(context, node, ask);
  if (!texts.ok) return texts;
  const asked = { ...texts.value, ...switches(node, ask) };
  // An earlier version told the relational profile in three tiers: what is written in one stands for all.
  const isProfile = node.uri === communicationUri && asked.l0 !== undefined;
  const patch = differing(node, isProfile ? { l1: null, l2: null, ...asked } : asked);
  if (Object.keys(patch).length === 0) return ok(nodePage(context, node));
  const action = actionOf(patch);
  const reason = ask.reason ?? reasons[action] ?? "edited by the user";
  return ok(save(context, node, patch, { atMs: ask.nowMs, action, reason }));
}

/** By the user, unless it says otherwise. */
export type Cause = Omit<RevisionCause, "by"> & { readonly by?: string };

/** Writes a change and all that has to follow it. */
export function save(context: Context, node: MemoryNode, patch: NodePatch, cause: Cause): NodeJson {
  const { store } = context;
  return store.transaction(() => {
    const after = store.nodes.update(node.id, patch, { by: "user", ...cause });
    if (after.status !== "retracted")
      // Words that the user writes or takes back by hand are wanted, whatever was forgotten or turned down before.
      for (const text of wordingsOf(after)) store.nodes.unforget(text);
    if (after.l0 !== node.l0 || after.status !== node.status) keepVector(context, after);
    return nodePage(context, after);
  });
}

/** `wordingsOf` lists the wordings that identify a memory: its line, and the words it was learnt from. */
export const wordingsOf = (node: MemoryNode): readonly string[] => [
  node.l0,
  ...node.evidence.map(({ quote }) => quote),
];

const reasons: Partial<Record<RevisionAction, string>> = {
  pin: "pinned or unpinned by the user",
  retract: "retracted by the user",
};

/** A pin alone says nothing new about the memory, and does not make it look new. */
function actionOf(patch: NodePatch): RevisionAction {
  if (patch.status === "retracted") return "retract";
  return Object.keys(patch).every((field) => field === "pinned") ? "pin" : "edit";
}

/** The texts of an edit through the gate, cut to their bounds; and the place that a category brings. */
export function patchOf(
  context: Context,
  node: MemoryNode,
  asked: Edit,
): Result<NodePatch, ServiceError> {
  const texts = textsOf(cleaner(context), node, asked);
  if (!texts.ok) return texts;
  const place = placeOf(context, node, asked);
  if (!place.ok) return place;
  const { tags, importance } = asked;
  return ok({
    ...texts.value,
    ...renamed(context, node, texts.value.l0),
    ...(tags === undefined ? {} : { tags: tagsOf(context, tags) }),
    ...(importance === undefined ? {} : { importance }),
    ...place.value,
  });
}

/** A URI in the new words, where the old one states what does not hold any more. */
function renamed(context: Context, node: MemoryNode, l0: string | undefined): NodePatch {
  const { category } = node;
  const isFixed = category === null || category === "sessions" || node.uri === communicationUri;
  if (l0 === undefined || isFixed || !statesOld(node, l0)) return {};
  return { uri: placeIn(context, node, category, slugOf(l0)) };
}

function textsOf(clean: Clean, node: MemoryNode, asked: Edit): Result<NodePatch, ServiceError> {
  const l0 = asked.l0 === undefined ? ok(null) : clean(oneLine(asked.l0));
  if (!l0.ok) return l0;
  if (l0.value === "") return err({ type: "memory.empty" });
  const l1 = tier(clean, asked.l1, (text) => cutToTokens(text, limits.l1TokensMax));
  if (!l1.ok) return l1;
  const l2 = tier(clean, asked.l2, (text) => cutAtWord(text, limits.l2CharsMax));
  if (!l2.ok) return l2;
  return ok({
    ...(l0.value === null ? {} : saying(node, cutToTokens(l0.value, limits.l0TokensMax))),
    ...(l1.value === undefined ? {} : { l1: l1.value }),
    ...(l2.value === undefined ? {} : { l2: l2.value }),
  });
}

type Clean = (text: string) => Result<string, ServiceError>;

const cleaner =
  ({ gate }: Context): Clean =>
  (text) => {
    const gated = gate.clean(text);
    return gated.whollyPrivate ? err({ type: "memory.private" }) : ok(gated.text.trim());
  };

/** Undefined = as it is; null or nothing left = none. */
function tier(
  clean: Clean,
  text: string | null | undefined,
  cut: (text: string) => string,
): Result<string | null | undefined, ServiceError> {
  if (text === undefined) return ok(undefined);
  if (text === null || text.trim() === "") return ok(null);
  const cleaned = clean(text);
  return cleaned.ok ? ok(cleaned.value === "" ? null : cut(cleaned.value)) : cleaned;
}

/** An edited line is the user's word. */
const saying = (node: MemoryNode, l0: string): NodePatch =>
  l0 === node.l0 ? {} : { l0, origin: "user" };

const tagsOf = ({ gate }: Context, tags: readonly string[]): readonly string[] => [
  ...new Set(
    tags
      .map((tag) => oneLine(gate.clean(tag).text).slice(0, tagCharsMax))
      .filter((tag) => tag !== "")
      .slice(0, tagsMax),
  ),
];

function placeOf(
  context: Context,
  node: MemoryNode,
  { category: wanted, project: named }: Edit,
): Result<NodePatch, ServiceError> {
  const asked = named === undefined ? ok(node.project) : projectKeyOf(context, named);
  if (!asked.ok) return asked;
  const category = wanted ?? node.category;
  // A fact about the user does not depend on a project.
  const project = category === "profile" ? null : asked.value;
  const isMoved = category !== node.category;
  if (!isMoved && project === node.project) return ok({});
  if (category === null || node.category === "sessions" || node.uri === communicationUri)
    return err({ type: "memory.category-fixed", uri: node.uri });
  return ok({
    project,
    ...(isMoved ? { category, uri: placeIn(context, { ...node, project }, category) } : {}),
  });
}

function switches(node: MemoryNode, { pinned, status, nowMs }: EditAsk): NodePatch {
  const isEnd = status === "retracted";
  return {
    ...(pinned === undefined ? {} : { pinned }),
    ...(status === undefined || status === node.status
      ? {}
      : { status, validTo: isEnd ? nowMs : null }),
  };
}

/** Only what is not so already. */
export const differing = (node: MemoryNode, patch: NodePatch): NodePatch =>
  Object.fromEntries(
    Object.entries(patch).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(node[field as keyof NodePatch]),
    ),
  );

/** Brings the vector in step with the node as it is now; what is put away has none. */
function keepVector({ memoryWriter, vectors }: Context, node: MemoryNode): void {
  vectors.remove(node.id);
  if (node.status !== "retracted") memoryWriter.index(node);
}

// Checks where a node may stand, and that it is still the one that the caller has seen.

/** A leaf at a URI that has not changed since `expected` (a revision; null = never mind). */
export function leafToChange(
  context: Context,
  uri: string,
  expected: number | null,
): Result<{ readonly node: MemoryNode; readonly latest: Revision }, ServiceError> {
  const found = nodeAt(context, uri);
  if (!found.ok) return found;
  const latest = context.store.history.latest(found.value.id);
  if (found.value.nodeType === "dir" || latest === null)
    return err({ type: "memory.is-directory", uri });
  if (expected !== null && latest.id !== expected) return err({ type: "memory.changed", uri });
  return ok({ node: found.value, latest });
}

const nameOf = ({ uri }: MemoryNode): string => uri.split("/").at(-1) ?? "";

/** Does its URI hold a word of its line that `l0` has no more? */
const statesOld = (node: MemoryNode, l0: string): boolean => {
  const [before, now] = [node.l0, l0].map((text) => new Set(slugWords(text)));
  return slugWords(nameOf(node)).some((word) => before?.has(word) && now?.has(word) === false);
};

const slugWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** A free place in a category, under the name that it has or another. */
export const placeIn = (
  { store }: Context,
  node: MemoryNode,
  category: Category,
  slug = nameOf(node),
): string =>
  freshLeafUri(
    {
      category,
      slug,
      project: node.project,
      projectName: node.project?.split(/[/:]/).at(-1) ?? null,
      date: isoDate(node.createdAt),
    },
    (taken) => store.nodes.byUri(taken),
  );
