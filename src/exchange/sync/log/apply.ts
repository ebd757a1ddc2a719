/**
 * Entries of other devices taken into this store. They join the set of what is known; what they mean together is folded
 * from the whole set for every memory that they concern, so that every order leaves the same (docs/adr/0044).
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
import {
  claim,
  type ExchangeContext,
  later,
  nextStamp,
  subjectAt,
  type SyncContext,
} from "./claim.ts";
import { collect } from "./collect.ts";
import { takeDigest } from "./digests.ts";
import { deadAt, noteWordings, retire, takeForget } from "./forgetting.ts";
import { settle } from "./settle.ts";

/** Looks at everything that happened here. Steps of some milliseconds; false = there is more. */
export function collectStep(deps: SyncContext): boolean {
  const { store } = deps;
  // First, so that nothing is told of what is gone already.
  forgetHere(deps);
  if (store.transaction(() => collect(deps))) return false;
  bringInStep(deps);
  return store.sync.forgetsDue(1).length === 0;
}

/**
 * Takes entries in, and notes with them how far the log of their device was read. What happened here in the meantime is
 * told first: it was said without knowing of them.
 */
export function apply(
  deps: SyncContext,
  entries: readonly SyncEntry[],
  head: SyncHead | null,
): void {
  const { store } = deps;
  while (!collectStep(deps));
  store.transaction(() => {
    for (const entry of entries) take(deps, entry);
    if (head !== null) store.sync.putHead(head);
  });
  bringInStep(deps);
}

/**
 * Memories follow what is known of them. What is due stands in the store: after a crash the next step goes on. What
 * this changes was said by others, or follows from it, and is not told again.
 */
function bringInStep(deps: SyncContext): void {
  const { store } = deps;
  forgetHere(deps);
  store.transaction(() => {
    settle(deps);
    store.admin.setMeta("sync.revision", `${store.sync.lastRevision()}`);
  });
}

/** At most so many memories are forgotten at once: each is looked for in all that was recorded. */
const forgetsPerStep = 50;

/** `forgetHere` forgets what others forgot. Noted with the entries, so that a crash in between loses nothing of it. */
function forgetHere(deps: SyncContext): void {
  const { store, forget, withdraw } = deps;
  for (;;) {
    const gone = store.sync.gone(forgetsPerStep);
    if (gone.length === 0) return;
    const there = gone.filter(({ nodeId }) => store.nodes.byId(nodeId) !== null);
    const withdrawn = there.filter(({ stamp }) => stamp === null);
    if (withdrawn.length > 0) withdraw(withdrawn.map(({ nodeId }) => nodeId));
    const uris = there
      .filter(({ stamp }) => stamp !== null)
      .flatMap(({ nodeId }) => store.nodes.byId(nodeId)?.uri ?? []);
    if (uris.length > 0) forget(uris);
    store.transaction(() => {
      store.sync.dropGone(gone.map(({ nodeId }) => nodeId));
      tellWordings(deps, gone.find(({ stamp }) => stamp !== null)?.stamp ?? "");
    });
  }
}

/**
 * Forgetting here leaves fingerprints of this store's own wordings. They are not to be learnt elsewhere either; what is
 * gone was told by the one who forgot it.
 */
function tellWordings(deps: ExchangeContext, after: Stamp): void {
  const { sync } = deps.store;
  for (;;) {
    const refused = sync.untoldMarks(marksPerStep).map(({ mark }) => mark);
    if (refused.length === 0) return;
    const stamp = nextStamp(0, [after], sync.device() ?? "");
    const salts = sync.salts();
    const entry: ForgetEntry = { v: 1, kind: "forget", stamp, gone: [], marks: [], refused, salts };
    sync.add(entry, false);
    takeForget(deps, entry);
  }
}

const marksPerStep = 500;

function take(deps: ExchangeContext, entry: SyncEntry): void {
  switch (entry.kind) {
    case "memory":
      return takeMemory(deps, entry);
    case "use":
      return takeUse(deps, entry);
    case "link":
      return takeLink(deps, entry);
    case "forget":
      return takeForget(deps, entry);
    case "digest":
      return takeDigest(deps, entry);
  }
}

function takeMemory(deps: ExchangeContext, entry: MemoryEntry): void {
  const { store } = deps;
  noteWordings(deps, entry);
  const { subject, stamp } = entry;
  const row = subjectAt(store, subject);
  store.sync.putSubject({ ...row, latest: later(stamp, row.latest) });
  retire(deps, subject);
  const isStating = Object.keys(entry.set).length > 0 || entry.pin !== undefined;
  if (!isStating || deadAt(deps, row, entry.token) !== null) return;
  if (store.sync.add(entry, true)) claim(deps, subject);
}

function takeUse({ store }: ExchangeContext, entry: UseEntry): void {
  const { subject, device, count, atMs, stamp } = entry;
  const row = subjectAt(store, subject);
  store.sync.putSubject({
    ...row,
    latest: later(stamp, row.latest),
    uses: { ...row.uses, [device]: Math.max(row.uses[device] ?? 0, count) },
    usedAt: Math.max(row.usedAt ?? 0, atMs),
  });
  store.sync.addDue("subject", subject);
}

function takeLink({ store }: ExchangeContext, entry: LinkEntry): void {
  const { subject: from, to, relation, weight, atMs: createdAt } = entry;
  store.sync.putLink({ from, to, relation, weight, createdAt });
  store.sync.addDue("subject", from);
}
