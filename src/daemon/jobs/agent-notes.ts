/**
 * Follows the notes that agents keep in files of their own: one memory a note, of origin agent, replaced when the file
 * changes and ended when it goes. Read when a session starts and ends, and after a private turn, whose changes are not
 * read, then or later.
 */
import {
  agentNoteTag,
  agentOf,
  type Candidate,
  type GatedText,
  type Job,
  type MemoryNode,
  type NoteLine,
  type Session,
  type Store,
} from "#domain";
import { cutAtWord, cutToTokens, sha256 } from "#kit";
import { addedByGemini, limits, listLinesIn, slugOf, topicNoteIn, type AgentNote } from "#memory";
import { quietOf } from "../intake/private-texts.ts";
import { remember } from "./remember.ts";
import type { AgentNotesFile, AgentNotesPlace, AgentNotesPort } from "./note-files.ts";
import type { WorkerContext } from "../context.ts";

/** A note as it was read last. No text: what was forgotten must not stand here. */
interface Known {
  readonly hash: string;
  readonly line: number;
  readonly nodeId: number | null;
}

interface KnownFile {
  readonly stamp: string;
  readonly shown: string;
  readonly agent: string;
  readonly loadedIn: string | null;
  readonly loadedLines: number;
  readonly notes: readonly Known[];
}

interface State {
  readonly files: Readonly<Record<string, KnownFile>>;
  /** Hashes of notes that were written in a private turn. */
  readonly hidden: readonly string[];
}

const stateName = "agent-notes";
const notesMax = 2_000;
const hiddenMax = 1_000;
const fileNotesMax = 200;

const stateOf = ({ admin }: Store): State =>
  // Written below, and by nobody else.
  JSON.parse(admin.getMeta(stateName) ?? '{"files":{},"hidden":[]}') as State;

/** Notes of a place as they were found, before the transaction that keeps them. */
export interface FoundNotes {
  readonly files: readonly AgentNotesFile[];
  readonly folders: readonly string[];
  /** Texts of the files that changed, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

export function findNotes({ agentNotes, store }: WorkerContext, job: Job): FoundNotes | null {
  const place = placeOf(job);
  if (place === null) return null;
  const known = stateOf(store).files;
  const { files, folders } = agentNotes.find(place);
  const texts = new Map<string, string>();
  for (const { path, stamp } of files) {
    const text = known[path]?.stamp === stamp ? null : agentNotes.read(path);
    if (text !== null) texts.set(path, text);
  }
  return { files, folders, texts };
}

function placeOf({ sessionId, payload }: Job): AgentNotesPlace | null {
  const { cwd, transcriptPath } = payload;
  return sessionId !== null && typeof cwd === "string" && typeof transcriptPath === "string"
    ? { sessionId, cwd, transcriptPath }
    : null;
}

/** Follows what was found; inside the job's transaction. */
export function keepAgentNotes(
  deps: WorkerContext,
  found: FoundNotes,
  { job, project }: { readonly job: Job; readonly project: string | null },
): void {
  const state = stateOf(deps.store);
  const files = new Map(Object.entries(state.files));
  const hidden = new Set(state.hidden);
  const follow: Follow = { job, files, project, atMs: Number(job.payload["atMs"]) };
  dropGone(deps, follow, found);
  for (const file of found.files) {
    const text = found.texts.get(file.path);
    // Notes of a folder outside of any project would be told everywhere.
    const isHomeless = project === null && !file.isGlobal;
    if (text === undefined || isHomeless || noteCount(files) > notesMax) continue;
    const session = job.sessionId ?? "";
    const clean = deps.hidden.clean(deps.gate, session, text);
    const read = notesIn(file, clean, found).filter(
      ({ hash, text: said, full }) =>
        !hidden.has(hash) && !deps.hidden.retells(session, `${said}\n${full ?? ""}`),
    );
    takeFile(deps, follow, file, { notes: read, hidden });
  }
  const after = { files: Object.fromEntries(files), hidden: [...hidden].slice(-hiddenMax) };
  deps.store.admin.setMeta(stateName, JSON.stringify(after));
}

interface Follow {
  readonly job: Job;
  readonly files: Map<string, KnownFile>;
  readonly project: string | null;
  readonly atMs: number;
}

function dropGone(deps: WorkerContext, follow: Follow, found: FoundNotes): void {
  const { files } = follow;
  const there = new Set(found.files.map(({ path }) => path));
  for (const [path, known] of files) {
    const isGone = found.folders.some((folder) => path.startsWith(folder)) && !there.has(path);
    if (!isGone) continue;
    files.delete(path);
    for (const { nodeId } of known.notes) endNote(deps, follow, nodeId);
  }
}

/** Follows the notes of a file that changed; of one that a private turn changed, keeps what to pass over. */
function takeFile(
  deps: WorkerContext,
  follow: Follow,
  file: AgentNotesFile,
  { notes, hidden }: { readonly notes: readonly Read[]; readonly hidden: Set<string> },
): void {
  const { files, job } = follow;
  const before = files.get(file.path)?.notes ?? [];
  const { path, stamp, shown, agent, loadedIn, loadedLines } = file;
  const entry = { stamp, shown, agent, loadedIn, loadedLines, notes: before };
  files.set(path, entry);
  if (!wasQuiet(deps.store, job, file.atMs)) {
    files.set(path, { ...entry, notes: followed(deps, follow, file, { before, notes }) });
    return;
  }
  const known = new Set(before.map(({ hash }) => hash));
  for (const { hash } of notes) if (!known.has(hash)) hidden.add(hash);
}

const noteCount = (files: ReadonlyMap<string, KnownFile>): number =>
  [...files.values()].reduce((sum, { notes }) => sum + notes.length, 0);

/**
 * Was the file changed in a private turn: the one that the job closes, or one that still runs, of this session if it
 * became private on its way, or of another?
 */
const wasQuiet = (store: Store, { payload, sessionId }: Job, changedMs: number): boolean =>
  payload["isOver"] === true ||
  changedMs >= Number(payload["quietSinceMs"] ?? Infinity) ||
  Object.entries(quietOf(store)).some(
    ([other, running]) => other !== sessionId && changedMs >= running,
  );

interface Read extends AgentNote {
  readonly hash: string;
}

function notesIn(
  { path, form, agent }: AgentNotesFile,
  clean: GatedText,
  { files }: FoundNotes,
): readonly Read[] {
  if (clean.whollyPrivate) return [];
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const there = new Set(files.map((one) => one.path));
  const topic = form === "topic" ? topicNoteIn(clean.text) : null;
  const list =
    form === "topic" ? [] : listLinesIn(form === "added" ? addedByGemini(clean.text) : clean.text);
  const notes = [
    ...(topic === null ? [] : [topic]),
    ...list
      .filter(({ linked }) => linked === null || !there.has(`${folder}${linked}`))
      .map(({ note }) => note),
  ];
  return notes.slice(0, fileNotesMax).map(({ line, text: said, full, type }) => ({
    line,
    text: said,
    full,
    type,
    hash: sha256(JSON.stringify([agent, said, full])).slice(0, 32),
  }));
}

/** New notes become memories, changed ones replace theirs, those that are gone end. */
function followed(
  deps: WorkerContext,
  follow: Follow,
  file: AgentNotesFile,
  { before, notes }: { readonly before: readonly Known[]; readonly notes: readonly Read[] },
): readonly Known[] {
  const kept = new Map(before.map((known) => [known.hash, known]));
  const now = new Set(notes.map(({ hash }) => hash));
  const gone = before.filter(({ hash }) => !now.has(hash));
  const result: Known[] = [];
  for (const note of notes) {
    const known = kept.get(note.hash);
    if (known !== undefined) {
      result.push({ ...known, line: note.line });
      continue;
    }
    // A line in the place of one that is gone is that one, edited.
    const at = file.form === "topic" ? 0 : gone.findIndex(({ line }) => line === note.line);
    const [old] = at < 0 ? [] : gone.splice(at, 1);
    const own = ownNode(deps, follow, old?.nodeId ?? null);
    const { node } = remember(deps, candidateOf(follow, file, note, own), follow.job.key);
    if (node === null && own !== null) endNote(deps, follow, own.id);
    result.push({ hash: note.hash, line: note.line, nodeId: node?.id ?? null });
  }
  for (const { nodeId } of gone) endNote(deps, follow, nodeId);
  return result;
}

function candidateOf(
  { project, atMs }: Follow,
  file: AgentNotesFile,
  { text, full, type, line }: Read,
  replaced: MemoryNode | null,
): Candidate {
  const l0 = cutToTokens(text, limits.l0TokensMax);
  const whole = full ?? (l0 === text ? null : text);
  return {
    // Feedback on work is a pattern here; a preference would be the user's own.
    category: type === "feedback" ? "patterns" : "entities",
    uriHint: slugOf(text),
    l0,
    l1: null,
    l2: whole === null ? null : cutAtWord(whole, limits.l2CharsMax),
    importance: 3,
    tags: [agentNoteTag, `${file.agent}-memory`],
    files: [],
    aliases: [],
    project: file.isGlobal ? null : project,
    origin: "agent",
    maker: "import",
    evidence: {
      sessionId: file.shown.slice(-pathCharsMax),
      turn: null,
      line,
      quote: cutAtWord(text, limits.quoteCharsMax),
    },
    branch: null,
    atMs: Math.min(atMs, file.atMs > 0 ? file.atMs : atMs),
    ...(replaced === null ? {} : { replaces: [replaced.id] }),
  };
}

const pathCharsMax = 128;

/** The memory of a note that nobody else says: not the user's, not changed by hand, and of no other file. */
function ownNode(
  { store }: WorkerContext,
  { files }: Follow,
  nodeId: number | null,
): MemoryNode | null {
  const node = nodeId === null ? null : store.nodes.byId(nodeId);
  if (node === null || node.status !== "active" || node.pinned || node.evidenceCount > 1)
    return null;
  const isNote = node.origin === "agent" && node.tags.includes(agentNoteTag);
  if (!isNote || store.history.latest(node.id)?.by === "user") return null;
  const holders = [...files.values()]
    .flatMap(({ notes }) => notes)
    .filter((one) => one.nodeId === nodeId);
  return holders.length > 1 ? null : node;
}

function endNote(deps: WorkerContext, follow: Follow, nodeId: number | null): void {
  const node = ownNode(deps, follow, nodeId);
  if (node === null) return;
  const { atMs, job } = follow;
  const cause = { atMs, by: job.key, reason: "gone from the agent's notes" };
  const patch = { status: "retracted", validTo: atMs } as const;
  deps.store.nodes.update(node.id, patch, { ...cause, action: "retract" });
  deps.vectors.remove(node.id);
}

/** The line of a note file that a session's client loads by itself and that a memory was read from. */
export function loadedNotes(
  agentNotes: AgentNotesPort,
  store: Store,
  session: Session,
): ReadonlyMap<number, NoteLine> {
  const found = new Map<number, NoteLine>();
  const { sessionId, transcriptPath } = session;
  if (transcriptPath === null) return found;
  const agent = agentOf(sessionId);
  const here = agentNotes.placeOf(sessionId, transcriptPath);
  for (const [file, known] of Object.entries(stateOf(store).files)) {
    const isLoaded = known.agent === agent && (known.loadedIn === "" || known.loadedIn === here);
    if (!isLoaded) continue;
    for (const { nodeId, line } of known.notes)
      if (nodeId !== null && line <= known.loadedLines)
        found.set(nodeId, { file, line, text: "", atMs: 0 });
  }
  return found;
}

export const noteFiles = (
  store: Store,
): readonly { readonly path: string; readonly shown: string }[] =>
  Object.entries(stateOf(store).files).map(([path, { shown }]) => ({ path, shown }));
