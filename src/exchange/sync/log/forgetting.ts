/** Forgetting: what is told of it, and what it takes away. */
import type { ForgetEntry, MemoryEntry, Stamp, SyncSubject } from "#domain";
import { claim, type ExchangeContext, type Kept, later, nextStamp, subjectAt } from "./claim.ts";

/** Memories and fingerprints in one entry. */
const perStepMax = 200;

/**
 * `noteWordings` keeps the fingerprints of a line, for a forget that comes from elsewhere: noted
 * for good, whatever becomes of the line.
 */
export function noteWordings({ store: { sync } }: ExchangeContext, entry: MemoryEntry): void {
  const { subject, token, set, lineMarks = [], licence = "", stamp, isByName } = entry;
  const marks = new Set([...lineMarks, ...(set.l0 === undefined ? [] : sync.marksOf(set.l0))]);
  for (const mark of marks) {
    sync.addWording({ subject, token, mark, licence });
    if (isByName !== true) continue;
    const known = sync.mark(mark);
    if ((known.remembered ?? "") < stamp) sync.putMark({ ...known, remembered: stamp });
  }
}

/**
 * `deadAt` gives the time at which the statements of a memory that build on this remembering were
 * forgotten; null = they hold. All of them go together: with the memory, or because one of them
 * said a line that was forgotten later than it was allowed. That can only ever become true, so that
 * texts can be removed at once and no order of arrival makes a difference.
 */
export function deadAt({ store }: ExchangeContext, row: SyncSubject, token: Stamp): Stamp | null {
  if (row.forgotten !== null && row.forgotten >= token) return row.forgotten;
  return store.sync.killedAt(row.subject, token);
}

/** Takes away what was forgotten of a memory. The node goes as a whole; what still holds becomes a new one. */
export function retire(
  deps: ExchangeContext,
  subject: string,
  how: "forgotten" | "withdrawn" = "forgotten",
): void {
  const { sync } = deps.store;
  const row = subjectAt(deps.store, subject);
  const gone = sync.statements(subject).flatMap((entry) => {
    const at = deadAt(deps, row, entry.token);
    return at === null ? [] : [{ entry, at }];
  });
  if (gone.length === 0) return;
  // Others may know statements that went because of a line which only this device has heard: they are told its marks.
  for (const { entry } of gone)
    if (!entry.isSent && entry.lineMarks !== undefined) tellMarksOf(deps, entry);
  deps.store.admin.setMeta("sync.purge", "due");
  sync.drop(gone.map(({ entry }) => entry.id));
  const at = gone.map((one) => one.at).reduce(later, "");
  if (row.nodeId !== null) sync.addGone(row.nodeId, how === "withdrawn" ? null : at);
  sync.putSubject({ ...row, nodeId: null });
  claim(deps, subject);
}

function tellMarksOf(
  { store }: ExchangeContext,
  { id: _id, isSent: _sent, pin: _pin, ...entry }: Kept & { readonly isSent: boolean },
): void {
  store.sync.add({ ...entry, set: {}, cause: { ...entry.cause, reason: "" } }, false);
}

/**
 * `collectForgets` tells what was forgotten here, and the fingerprints of it. One entry for all;
 * true = there may be more.
 */
export function collectForgets(step: ExchangeContext, device: string): boolean {
  const { sync } = step.store;
  const rows = sync.forgetsDue(perStepMax);
  if (tellWithdrawn(step, device, rows)) return true;
  const untold = sync.untoldMarks(perStepMax);
  if (rows.length === 0 && untold.length === 0) return false;
  const atMs = Math.max(0, ...rows.map((row) => row.forgetAt ?? 0), ...untold.map((m) => m.atMs));
  const all = [
    ...new Set([
      ...untold.map(({ mark }) => mark),
      ...rows.flatMap(({ subject }) => sync.wordings(subject)),
    ]),
  ];
  const clock = [
    ...rows.map(({ latest }) => latest),
    ...all.map((mark) => sync.mark(mark).remembered ?? ""),
    ...all.flatMap((mark) =>
      sync.withWording(mark).map((subject) => subjectAt(step.store, subject).latest),
    ),
  ];
  const refused = all.filter((mark) => isStillSaid(step, mark));
  tellForget(step, rows, {
    v: 1,
    kind: "forget",
    stamp: nextStamp(atMs, clock, device),
    gone: rows.map(({ subject }) => subject),
    marks: all.filter((mark) => !refused.includes(mark)),
    refused,
    salts: sync.salts(),
  });
  return rows.length === perStepMax || untold.length === perStepMax;
}

/** Tells which memories went with a turn that left no record; true = there were some. */
function tellWithdrawn(
  step: ExchangeContext,
  device: string,
  due: readonly SyncSubject[],
): boolean {
  const rows = due.filter(({ forgetAt }) => (forgetAt ?? 0) < 0);
  if (rows.length === 0) return false;
  const atMs = Math.max(...rows.map(({ forgetAt }) => -(forgetAt ?? 0)));
  const known = rows.map(({ latest }) => latest);
  tellForget(step, rows, {
    v: 1,
    kind: "forget",
    withdrawn: true,
    stamp: nextStamp(atMs, known, device),
    gone: rows.map(({ subject }) => subject),
    marks: [],
    refused: [],
    salts: [],
  });
  return true;
}

/** Tells what an entry forgets, and that these memories are told of. */
function tellForget(step: ExchangeContext, rows: readonly SyncSubject[], entry: ForgetEntry): void {
  const { sync } = step.store;
  sync.add(entry, false);
  for (const row of rows) sync.putSubject({ ...row, forgetAt: null });
  takeForget(step, entry);
}

/** A memory of this store says it: it was refused or stands elsewhere too, and only that is not to be learnt again. */
const isStillSaid = ({ store }: ExchangeContext, mark: string): boolean =>
  store.sync.withWording(mark).some((subject) => subjectAt(store, subject).nodeId !== null);

/** Notes what an entry forgets, and takes it away. */
export function takeForget(deps: ExchangeContext, entry: ForgetEntry): void {
  const { sync } = deps.store;
  const { gone, marks, refused, salts, stamp } = entry;
  if (sync.keepSalts(salts).length > 0) noteLines(deps);
  deps.store.admin.setMeta("sync.purge", "due");
  for (const mark of refused) {
    const known = sync.mark(mark);
    sync.putMark({ ...known, forgotten: later(stamp, known.forgotten ?? "") });
    for (const subject of sync.withWording(mark)) sync.scrub(subject, (l0) => isUnwanted(deps, l0));
  }
  for (const mark of marks) {
    const known = sync.mark(mark);
    sync.putMark({
      ...known,
      killed: later(stamp, known.killed ?? ""),
      forgotten: later(stamp, known.forgotten ?? ""),
    });
    for (const subject of sync.withWording(mark)) retire(deps, subject);
  }
  for (const subject of gone) {
    const row = subjectAt(deps.store, subject);
    sync.putSubject({
      ...row,
      latest: later(stamp, row.latest),
      forgotten: later(stamp, row.forgotten ?? ""),
    });
    retire(deps, subject, entry.withdrawn === true ? "withdrawn" : "forgotten");
    claim(deps, subject);
  }
}

/** Lines under salts that were not known before. */
function noteLines({ store: { sync } }: ExchangeContext): void {
  for (const { l0, ...of } of sync.lines())
    for (const mark of sync.marksOf(l0)) sync.addWording({ ...of, mark });
}

/** Was it forgotten, and not said again by name since? */
export const isUnwanted = ({ store }: ExchangeContext, l0: string): boolean =>
  store.sync.marksOf(l0).some((mark) => {
    const { forgotten, remembered } = store.sync.mark(mark);
    return forgotten !== null && forgotten > (remembered ?? "");
  });
