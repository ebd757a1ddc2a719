/**
 * Acts on memories for a person. Everything shows at once, tells what it did, and can be taken
 * back: edits and pins by another revision, forgetting by waiting a moment before it is done, since
 * afterwards nothing is left to bring back.
 */
import { signal } from "@preact/signals";
import type { NodeJson } from "#api";
import { answerOf, api, authorizedFetch } from "./connection.ts";
import { isWide } from "./display.ts";
import type { Answer, Failure } from "./failure.ts";
import { noteChange } from "./live.ts";
import { hide, leaving, patch, type Subject } from "./overlay.ts";
import { adjust, go, href, memoryHref, route } from "./router.ts";
import { complain, toast, toastMs } from "./toasts.ts";
import type { Edit } from "../parts/edit-fields.ts";
import { categoryNames } from "../parts/format.ts";

/** The memory that keys act on: the chosen row, or the page's own. */
export const subject = signal<Subject | null>(null);
/** URI of the memory that is being edited. */
export const editing = signal<string | null>(null);
/** The memory that a person was asked about: shall it be forgotten? */
export const pendingForget = signal<Subject | null>(null);

/** Memories that were decided on here: a list of what waits goes on to the next one. */
const decided = new Set<string>();

/** Was this memory taken out of its list by what was done here? */
export const isDone = (uri: string): boolean => decided.has(uri) || leaving.peek().has(uri);

/** By then every list has noticed a change. */
const relistMs = 3_000;

/** `If-Match` for a revision; null = whatever there is. */
const only = (revision: number | null) => ({
  headers: revision === null ? {} : { "if-match": `"r${revision}"` },
});

const change = (
  uri: string,
  json: Edit & { readonly status?: "retracted" },
  revision: number | null = null,
): Promise<Answer<NodeJson>> =>
  answerOf(api.nodes.$patch({ query: { uri }, json }, only(revision)));

const nameOf = (category: NodeJson["category"]): string =>
  category === null ? "" : categoryNames[category];

/** Shows a memory as the daemon answered it, until every list has asked again. */
function settle({ uri, l0, l1, l2, tags, importance, pinned, status, revision }: NodeJson): void {
  const shown = { l0, l1, l2, tags, importance, pinned, status, revision };
  setTimeout(patch(uri, shown), relistMs);
  noteChange();
}

/** Pins or unpins. */
export async function togglePin({ uri, pinned }: Subject): Promise<void> {
  const takeBack = patch(uri, { pinned: !pinned });
  const answer = await change(uri, { pinned: !pinned });
  takeBack();
  complain(answer, "Could not pin");
  if (!answer.ok) return;
  settle(answer.value);
  const undo = (): void => void togglePin({ uri, pinned: !pinned, l0: "" });
  toast(pinned ? "Unpinned" : "Pinned: always considered first", { undo });
}

/**
 * Saves an edit of what was read at `revision`. Resolves to why it was not, or null. When somebody else was faster that
 * is `memory.changed`, and nothing is written.
 */
export async function saveEdit(
  uri: string,
  json: Edit,
  revision: number | null,
): Promise<Failure | null> {
  const { project: _project, category: _category, ...shown } = json;
  const takeBack = patch(uri, shown);
  const answer = await change(uri, json, revision);
  takeBack();
  if (!answer.ok) return answer.failure;
  const { value } = answer;
  settle(value);
  if (value.uri !== uri) follow(uri, value.uri);
  toast(value.uri === uri ? "Saved" : `Moved to ${nameOf(value.category)}`, {
    to: memoryHref(value.uri),
    undo: () => void revert(value.uri, null, value.revision),
  });
  return null;
}

/** Another place in the tree: its page goes along; a list goes on to the next one. */
function follow(uri: string, now: string): void {
  const { view, query } = route.peek();
  if (view === "memory" && query.get("uri") === uri) adjust({ uri: now });
  else decided.add(uri);
}

/** A memory as it is at this moment; null when there is no answer. */
export async function present(uri: string): Promise<NodeJson | null> {
  const answer = await answerOf(api.nodes.$get({ query: { uri } }));
  return answer.ok ? answer.value : null;
}

/**
 * Takes a memory back to how it was after a revision; null = before the last change. `expected`: only while this is its
 * latest revision, so that an undo takes back what it was offered for and nothing that came later.
 */
export async function revert(
  uri: string,
  revision: number | null,
  expected: number | null = null,
): Promise<void> {
  const answer = await answerOf(
    api.nodes.revert.$post({ json: { uri, revision } }, only(expected)),
  );
  complain(answer, "Could not undo");
  if (!answer.ok) return;
  const { value } = answer;
  settle(value);
  if (value.uri !== uri) follow(uri, value.uri);
  toast("Reverted", {
    to: memoryHref(value.uri),
    undo: () => void revert(value.uri, null, value.revision),
  });
}

/** Forgets for good, after a moment in which it can be taken back. */
export function forget({ uri }: Subject): void {
  const show = hide(uri);
  const stop = (): void => {
    clearTimeout(timer);
    removeEventListener("pagehide", finish);
  };
  const finish = (): void => {
    stop();
    void carryOut(uri, show);
  };
  const timer = setTimeout(finish, toastMs);
  // Whoever closes the page meant what they confirmed.
  addEventListener("pagehide", finish);
  toast("Forgotten", {
    undo: () => {
      stop();
      show();
    },
  });
}

async function carryOut(uri: string, show: () => void): Promise<void> {
  const address = `/api/nodes?${new URLSearchParams({ uri }).toString()}`;
  const request = { method: "DELETE", headers: { "content-type": "application/json" } };
  const answer = await answerOf(authorizedFetch(address, { ...request, keepalive: true }));
  complain(answer, "Could not delete");
  // Its own page has nothing more to show.
  const { view, query } = route.peek();
  if (answer.ok && view === "memory" && query.get("uri") === uri) go(href("memories"));
  noteChange();
  // Once lists have asked again: something remembered at the same place must not look as if it were leaving.
  setTimeout(show, answer.ok ? relistMs : 0);
}

/** Remembers something by hand. Resolves to the failure's message, or null. */
export async function remember(text: string, project: string | null): Promise<string | null> {
  const answer = await answerOf(api.memories.$post({ json: { text, project } }));
  if (!answer.ok) return answer.failure.message;
  noteChange();
  const { action, memory } = answer.value;
  const putAway = async (): Promise<void> => {
    const undone = await change(memory.uri, { status: "retracted" });
    complain(undone, "Could not undo");
    if (undone.ok) settle(undone.value);
  };
  toast(
    action === "known" ? `Already known: ${memory.l0}` : `Remembered in ${nameOf(memory.category)}`,
    {
      to: memoryHref(memory.uri),
      undo:
        action === "known"
          ? null
          : () => void (action === "created" ? putAway() : revert(memory.uri, null)),
    },
  );
  return null;
}

/** Decides about a memory that waits for review. */
export async function review(
  id: number,
  action: "accept" | "reject",
  edit?: Omit<Edit, "pinned">,
): Promise<boolean> {
  const json = { action, ...(edit === undefined ? {} : { edit }) };
  const answer = await answerOf(api.review[":id"].$post({ param: { id: `${id}` }, json }));
  complain(answer, "Could not save");
  if (!answer.ok) return false;
  const { uri } = answer.value.memory;
  decided.add(uri);
  noteChange();
  toast(action === "accept" ? "Accepted" : "Rejected", {
    undo: () => {
      decided.delete(uri);
      void revert(uri, null);
    },
  });
  return true;
}

/** Screens that show the form in the place where the memory stands. */
const inPlace: ReadonlySet<string> = new Set(["memory", "prompts", "review", "session"]);

/** Edits where the memory is shown: beside its list, in its line, or on its own page. */
export function startEdit({ uri }: Subject): void {
  editing.value = uri;
  if (!isWide.peek() && !inPlace.has(route.peek().view)) go(memoryHref(uri));
}

/** Closes the form, unless the page that opens is that of its memory. */
export function leaveEdit(): void {
  const { view, query } = route.peek();
  if (view !== "memory" || query.get("uri") !== editing.peek()) editing.value = null;
}
