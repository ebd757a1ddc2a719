/** Answers the daemon's requests about the team: by the command line, and by the process that talks to a hub. */
import { z } from "zod";
import { teamCategories, type MemoryNode, type TeamDone, type TeamHere } from "#domain";
import { cleanName, renderFile, type TeamContext } from "./text.ts";
import { acceptItems, settle, withdrawItems } from "./inbox.ts";
import { itemsSince, proposed, share, shareable, unshare } from "./outbox.ts";
import { distrustFolder, refreshFolder, trustFolder, viewFolder } from "./repo.ts";

const name = z.string().min(1).max(500);
const folder = z.string().min(1).max(4_096);
const batchMax = 1_000;

const teamAsk = z.discriminatedUnion("ask", [
  z.object({
    ask: z.literal("since"),
    project: name,
    cursor: z.int().min(0),
    limit: z.int().min(1).max(batchMax),
  }),
  z.object({
    ask: z.literal("accept"),
    member: name,
    name,
    project: name,
    items: z.array(z.unknown()).max(batchMax),
  }),
  z.object({ ask: z.literal("withdraw"), member: name, project: name.nullable() }),
  z.object({ ask: z.literal("view"), root: folder }),
  z.object({
    ask: z.literal("trust"),
    root: folder,
    digest: z.string().max(64),
    authors: z.record(z.string().max(200), z.string().max(500)),
  }),
  z.object({ ask: z.literal("distrust"), root: folder }),
  z.object({ ask: z.literal("promote"), uri: name, root: folder, author: z.string().max(500) }),
  z.object({ ask: z.literal("share"), uris: z.array(name).max(batchMax) }),
  z.object({ ask: z.literal("unshare"), uris: z.array(name).max(batchMax) }),
  z.object({ ask: z.literal("shared"), root: folder }),
  z.object({
    ask: z.literal("rule"),
    root: folder,
    categories: z.array(z.enum(teamCategories)),
    share: z.enum(["ask", "auto"]),
  }),
  z.object({ ask: z.literal("arrive"), root: folder, arrive: z.enum(["live", "review"]) }),
  z.object({
    ask: z.literal("mute"),
    what: z.enum(["member", "project"]),
    value: name,
    isMuted: z.boolean(),
  }),
  z.object({ ask: z.literal("adopt"), uri: name }),
]);

type TeamAsk = z.infer<typeof teamAsk>;

/** Answers one question; null for one that makes no sense. */
export function answerTeam(deps: TeamContext, given: unknown): object | null {
  const parsed = teamAsk.safeParse(given);
  return parsed.success ? answer(deps, parsed.data) : null;
}

/** A session starts in a folder: what its repository says is brought in step. */
export { refreshFolder };

const failed = (failure: string): object => ({ failure });

type Of<Word extends TeamAsk["ask"]> = Extract<TeamAsk, { readonly ask: Word }>;

const answers: {
  readonly [Word in TeamAsk["ask"]]: (deps: TeamContext, ask: Of<Word>) => object;
} = {
  since: (deps, ask) => itemsSince(deps, ask.project, ask.cursor, ask.limit),
  accept: (deps, { member, name: called, project, items }) =>
    acceptItems(deps, { member, name: called }, project, items),
  withdraw: (deps, ask) => {
    withdrawItems(deps, ask.member, ask.project);
    return { ok: true };
  },
  view: (deps, { root }) => {
    refreshFolder(deps, root);
    return viewFolder(deps, root) ?? failed("this folder is in no project");
  },
  trust: (deps, ask) =>
    trustFolder(deps, ask) ?? failed("the folder changed while it was looked at"),
  distrust: (deps, { root }) =>
    distrustFolder(deps, root) ? { ok: true } : failed("this folder is in no project"),
  promote,
  share: (deps, { uris }) => ({
    done: uris.map((uri) => onNode(deps, uri, (node) => share(deps, node))),
  }),
  unshare: (deps, { uris }) => ({
    done: uris.map((uri) =>
      onNode(deps, uri, (node) => (unshare(deps, node.id) ? "" : "it is not shared")),
    ),
  }),
  shared: inProject,
  rule: inProject,
  arrive: inProject,
  mute: (deps, ask) => {
    const { team } = deps.store;
    deps.store.transaction(() => {
      team.mute(ask, ask.isMuted);
      settle(
        deps,
        team.items(null).filter((row) => row[ask.what] === ask.value),
      );
    });
    return { ok: true };
  },
  adopt: (deps, { uri }) => ({ done: [onNode(deps, uri, (node) => adopt(deps, node))] }),
};

const answer = (deps: TeamContext, ask: TeamAsk): object =>
  // Each takes its own question; a look-up by word cannot say so.
  (answers[ask.ask] as (deps: TeamContext, ask: TeamAsk) => object)(deps, ask);

function onNode({ store }: TeamContext, uri: string, work: (node: MemoryNode) => string): TeamDone {
  const node = store.nodes.byUri(uri);
  if (node === null || node.nodeType !== "leaf")
    return { uri, l0: "", refused: "there is no such memory" };
  return { uri, l0: node.l0, refused: work(node) };
}

/** It is the user's own from now on, with the name of who said it first. */
function adopt({ store, clock, index }: TeamContext, node: MemoryNode): string {
  if (node.origin !== "team") return "it is yours already";
  const cause = {
    atMs: clock.nowMs(),
    action: "accept",
    by: "user",
    reason: `adopted from ${node.author ?? "a colleague"}`,
  } as const;
  index(store.nodes.update(node.id, { origin: "user", status: "active", validTo: null }, cause));
  return "";
}

function promote(deps: TeamContext, ask: Extract<TeamAsk, { readonly ask: "promote" }>): object {
  const node = deps.store.nodes.byUri(ask.uri);
  const place = deps.projectOf(ask.root);
  if (node === null || node.nodeType !== "leaf") return failed("there is no such memory");
  if (place === null) return failed("this folder is in no project");
  const found = shareable(deps, node);
  if ("refused" in found) return failed(found.refused);
  if (found.project !== place.key) return failed("it belongs to another project");
  const author = cleanName(deps.gate.clean(ask.author).text);
  return {
    root: place.root,
    // Ids of a store are not used again: the name stays when the words change.
    name: `${found.text.category}-${(node.uri.split("/").at(-1) ?? "").slice(0, 80)}.md`,
    text: renderFile({ author, text: found.text }),
    l0: node.l0,
  };
}

function inProject(
  deps: TeamContext,
  ask: Extract<TeamAsk, { readonly ask: "arrive" | "rule" | "shared" }>,
): object {
  const { store } = deps;
  const place = deps.projectOf(ask.root);
  if (place === null) return failed("this folder is in no project");
  const { key } = place;
  if (ask.ask !== "shared") {
    const rule = store.team.rule(key) ?? { categories: [], share: "ask", arrive: "review" };
    const { ask: _, root: _root, ...change } = ask;
    store.team.putRule(key, { ...rule, ...change });
  }
  const lines = (nodes: readonly (MemoryNode | null)[]): TeamHere["shared"] =>
    nodes.flatMap((node) => (node === null ? [] : [{ uri: node.uri, l0: node.l0 }]));
  const shares = store.team.shares(key).filter(({ isWanted }) => isWanted);
  const { nodes, more } = proposed(deps, key);
  const here: TeamHere = {
    project: key,
    rule: store.team.rule(key),
    shared: lines(shares.map(({ nodeId }) => store.nodes.byId(nodeId))),
    proposed: lines(nodes),
    more,
    muted: store.team.muted(),
    members: membersOf(deps, key),
  };
  return here;
}

function membersOf({ store }: TeamContext, project: string): TeamHere["members"] {
  const byMember = Map.groupBy(store.team.items(project), ({ member }) => member);
  return [...byMember].map(([member, [first, ...rest]]) => {
    const node = first?.nodeId == null ? null : store.nodes.byId(first.nodeId);
    const given = [first, ...rest].filter((row) => row?.hash !== "").length;
    return { member, name: node?.author ?? member, given };
  });
}
