/** Forgetting: what is told of it, and what it takes away. */
import type { ForgetEntry, Stamp } from "#domain";
import type { LogDeps } from "./deps.ts";
import { entryId } from "./entry-id.ts";
import { nextStamp } from "./stamp.ts";
import { subjectAt } from "./subject.ts";

/** Memories and fingerprints in one entry. */
const perStepMax = 200;

/** What ever said a forgotten line is forgotten with it. */
export function forgetKilled(deps: LogDeps, subject: string): void {
  const { sync } = deps.store;
  for (const mark of sync.wordings(subject)) {
    const { killed } = sync.mark(mark);
    if (killed !== null) forgetSubject(deps, subject, killed);
  }
}

/** What was forgotten here, and the fingerprints of it. One entry for all; gives the subjects that it is about. */
export function collectForgets(
  step: LogDeps,
  device: string,
): { readonly touched: readonly string[]; readonly more: boolean } {
  const { store } = step;
  const rows = store.sync.forgetsDue(perStepMax);
  const marks = store.sync.untoldMarks(perStepMax);
  if (rows.length === 0 && marks.length === 0) return { touched: [], more: false };
  const atMs = Math.max(
    0,
    ...rows.map(({ forgetAt }) => forgetAt ?? 0),
    ...marks.map((m) => m.atMs),
  );
  const clock = [
    ...rows.map(({ latest }) => latest),
    ...marks.map(({ mark }) => store.sync.mark(mark).remembered ?? ""),
    ...marks.flatMap(({ mark }) =>
      store.sync.withWording(mark).map((subject) => subjectAt(store, subject).latest),
    ),
  ];
  const refused = marks.filter(({ mark }) => isStillSaid(step, mark)).map(({ mark }) => mark);
  const t = nextStamp(atMs, clock, device);
  const entry: ForgetEntry = {
    v: 1,
    k: "forget",
    t,
    gone: rows.map(({ subject }) => subject),
    words: rows.map(({ subject }) => store.sync.wordings(subject)),
    marks: marks.map(({ mark }) => mark).filter((mark) => !refused.includes(mark)),
    refused,
    salts: store.sync.salts(),
  };
  store.sync.add(entryId(entry), entry, false);
  for (const row of rows)
    store.sync.putSubject({ ...row, forgetAt: null, forgotten: t, latest: t });
  return {
    touched: [...entry.gone, ...takeMarks(step, entry)],
    more: rows.length === perStepMax || marks.length === perStepMax,
  };
}

/** A memory of this store says it: it was refused or stands elsewhere too, and only that is not to be learnt again. */
const isStillSaid = ({ store }: LogDeps, mark: string): boolean =>
  store.sync.withWording(mark).some((subject) => subjectAt(store, subject).nodeId !== null);

/** Notes what an entry forgets by its words. Gives the subjects that may be gone. */
export function takeMarks(
  deps: LogDeps,
  { marks, refused, t }: Pick<ForgetEntry, "marks" | "refused" | "t">,
): readonly string[] {
  const { sync } = deps.store;
  const later = (known: Stamp | null): Stamp => (known !== null && known > t ? known : t);
  for (const mark of refused) {
    const known = sync.mark(mark);
    sync.putMark({ ...known, forgotten: later(known.forgotten) });
    for (const subject of sync.withWording(mark)) sync.scrub(subject, (l0) => isUnwanted(deps, l0));
  }
  return marks.flatMap((mark) => {
    const known = sync.mark(mark);
    sync.putMark({
      ...known,
      killed: later(known.killed),
      forgotten: later(known.forgotten),
    });
    const worded = sync.withWording(mark);
    for (const subject of worded) forgetSubject(deps, subject, t);
    return worded;
  });
}

/** Was it forgotten, and not said again by name since? */
export const isUnwanted = ({ store }: LogDeps, l0: string): boolean =>
  store.sync.marksOf(l0).some((mark) => {
    const { forgotten, remembered } = store.sync.mark(mark);
    return forgotten !== null && forgotten > (remembered ?? "");
  });

/** Takes back what was said of it up to then, and what builds on that. */
export function forgetSubject({ store }: LogDeps, subject: string, t: Stamp): void {
  const row = subjectAt(store, subject);
  if ((row.forgotten ?? "") >= t) return;
  // The node goes as a whole, with its history; what was said anew since becomes another one.
  if (row.nodeId !== null) store.sync.addGone(row.nodeId, t);
  store.sync.putSubject({
    ...row,
    nodeId: null,
    forgotten: t,
    latest: row.latest > t ? row.latest : t,
  });
  store.sync.drop(
    store.sync
      .statements(subject)
      .filter(({ o }) => o <= t)
      .map(({ id }) => id),
  );
}
