/**
 * Entries of other devices taken into this store. What they mean together is folded from all that is known of a memory,
 * so that every order of the same entries leaves the same (docs/adr/0044).
 */
import type {
  ForgetEntry,
  LinkEntry,
  MemoryEntry,
  Stamp,
  SyncEntry,
  SyncHead,
  UseEntry,
} from "#domain";
import { collect, noteWordings } from "./collect.ts";
import { entryId } from "./entry-id.ts";
import { forgetKilled, forgetSubject, takeMarks } from "./forgetting.ts";
import { metaNames, type LogDeps } from "./deps.ts";
import { isAlive, type Kept } from "./fold.ts";
import { joinLinks, settle, type Arrived } from "./settle.ts";
import { nextStamp } from "./stamp.ts";
import { subjectAt } from "./subject.ts";

/** Looks at everything that happened here. Steps of some milliseconds; false = there is more. */
export function collectStep(deps: LogDeps): boolean {
  const { store } = deps;
  const { touched, more } = store.transaction(() => {
    const step = collect(deps);
    settle(deps, new Map(step.touched.map((subject) => [subject, []])));
    skipOwnRevisions(deps, step.more);
    return step;
  });
  if (touched.length > 0 || !more) forgetHere(deps);
  return !more;
}

/** What settling changed here was said by others, or follows from it: it is not told again. */
function skipOwnRevisions({ store }: LogDeps, more: boolean): void {
  if (!more) store.admin.setMeta(metaNames.revision, `${store.sync.lastRevision()}`);
}

/**
 * Takes entries in, and notes with them how far the log of their device was read. What happened here in the meantime is
 * told first: it was said without knowing of them.
 */
export function apply(deps: LogDeps, entries: readonly SyncEntry[], head: SyncHead | null): void {
  const { store } = deps;
  while (!collectStep(deps));
  store.transaction(() => {
    const touched = new Map<string, Arrived[]>();
    const touch = (subject: string): Arrived[] => {
      const list = touched.get(subject) ?? [];
      touched.set(subject, list);
      return list;
    };
    for (const entry of entries) take(deps, entry, touch);
    settle(deps, touched);
    store.admin.setMeta(metaNames.revision, `${store.sync.lastRevision()}`);
    if (head !== null) store.sync.putHead(head);
  });
  forgetHere(deps);
}

/** At most so many memories are forgotten at once: each is looked for in all that was recorded. */
const forgetsPerStep = 50;

/** What others forgot goes here too. Noted with the entries, so that a crash in between loses nothing of it. */
function forgetHere(deps: LogDeps): void {
  const { store, forget } = deps;
  for (;;) {
    const gone = store.sync.gone(forgetsPerStep);
    if (gone.length === 0) return;
    const uris = gone.flatMap(({ nodeId }) => store.nodes.byId(nodeId)?.uri ?? []);
    if (uris.length > 0) forget(uris);
    store.transaction(() => {
      store.sync.dropGone(gone.map(({ nodeId }) => nodeId));
      tellWordings(deps, gone[0]?.stamp ?? "");
    });
  }
}

/**
 * Forgetting here leaves fingerprints of this store's own wordings. They are not to be learnt elsewhere either; what is
 * gone was told by the one who forgot it.
 */
function tellWordings(deps: LogDeps, stamp: Stamp): void {
  const { sync } = deps.store;
  for (;;) {
    const refused = sync.untoldMarks(marksPerStep).map(({ mark }) => mark);
    if (refused.length === 0) return;
    const t = nextStamp(0, [stamp], sync.device() ?? "");
    const salts = sync.salts();
    const entry: ForgetEntry = {
      v: 1,
      k: "forget",
      t,
      gone: [],
      words: [],
      marks: [],
      refused,
      salts,
    };
    sync.add(entryId(entry), entry, false);
    takeMarks(deps, entry);
  }
}

const marksPerStep = 500;

type Touch = (subject: string) => Arrived[];

function take(deps: LogDeps, entry: SyncEntry, touch: Touch): void {
  switch (entry.k) {
    case "memory":
      return takeMemory(deps, entry, touch);
    case "use":
      return takeUse(deps, entry, touch);
    case "link":
      return takeLink(deps, entry);
    case "forget":
      return takeForget(deps, entry, touch);
    case "digest":
      return deps.store.sync.putDigest(entry);
  }
}

function takeMemory(deps: LogDeps, entry: MemoryEntry, touch: Touch): void {
  const { sync } = deps.store;
  noteWordings(deps, entry);
  forgetKilled(deps, entry.s);
  const row = subjectAt(deps.store, entry.s);
  const latest = entry.t > row.latest ? entry.t : row.latest;
  sync.putSubject({ ...row, latest });
  const arrived = touch(entry.s);
  if (!isAlive(entry, row.forgotten)) return;
  const kept: Kept = { ...entry, id: entryId(entry) };
  if (sync.add(kept.id, entry, true)) arrived.push(kept);
}

function takeUse({ store }: LogDeps, { s, d, n, at, t }: UseEntry, touch: Touch): void {
  const row = subjectAt(store, s);
  store.sync.putSubject({
    ...row,
    latest: t > row.latest ? t : row.latest,
    uses: { ...row.uses, [d]: Math.max(row.uses[d] ?? 0, n) },
    usedAt: Math.max(row.usedAt ?? 0, at),
  });
  touch(s);
}

function takeLink({ store }: LogDeps, { s, to, relation, weight, at }: LinkEntry): void {
  store.sync.putLink({ from: s, to, relation, weight, createdAt: at });
  joinLinks(store, s);
}

function takeForget(deps: LogDeps, entry: ForgetEntry, touch: Touch): void {
  const { store } = deps;
  const { gone, words, salts, t } = entry;
  const news = store.sync.keepSalts(salts);
  if (news.length > 0)
    for (const { subject, l0 } of store.sync.lines())
      for (const mark of store.sync.marksOf(l0)) store.sync.addWording(subject, mark);
  for (const subject of takeMarks(deps, entry)) touch(subject);
  for (const [at, subject] of gone.entries()) {
    for (const mark of words[at] ?? []) store.sync.addWording(subject, mark);
    forgetSubject(deps, subject, t);
    forgetKilled(deps, subject);
    touch(subject);
  }
}
