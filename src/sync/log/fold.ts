/**
 * What statements about one memory mean together. A pure function of the set: their order, and how often each arrived,
 * make no difference (docs/adr/0044).
 */
import type { MemoryEntry, Stamp, Statement } from "#domain";

export type Kept = MemoryEntry & { readonly id: string };

/** A memory as all its statements together leave it. */
export interface Folded {
  readonly fields: Required<Statement>;
  readonly pinned: boolean;
  readonly pin: number;
  /** When its text or state was last stated. */
  readonly said: Stamp;
  /** Of the statement that was made last, a pin aside. */
  readonly updatedAt: number;
  readonly last: MemoryEntry["a"];
}

/** In the order in which they were made. */
export const inOrder = <One extends Kept>(entries: readonly One[]): readonly One[] =>
  entries.toSorted((a, b) => compare(a.t, b.t) || compare(a.id, b.id));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const names = [
  "made",
  "project",
  "place",
  "standing",
  "l0",
  "l1",
  "l2",
  "aliases",
  "importance",
  "evidenceCount",
  "tags",
  "files",
  "anchors",
  "origin",
  "validFrom",
  "expiresAt",
  "evidence",
  "slot",
] as const satisfies readonly (keyof Statement)[];

/** Null while something of it has not arrived yet, and when nothing of it is left. */
export function fold(entries: readonly Kept[]): Folded | null {
  const alive = inOrder(entries);
  const fields: Statement = Object.assign({}, ...alive.map(({ set }) => set));
  if (!isWhole(fields)) return null;
  const pin = Math.max(0, ...alive.map((entry) => entry.pin ?? 0));
  const telling = alive.filter(({ set }) => Object.keys(set).length > 0);
  const last = telling.at(-1);
  if (last === undefined) return null;
  const stating = telling.findLast(({ set }) => set.l0 !== undefined || set.standing !== undefined);
  return {
    fields,
    pin,
    pinned: pin % 2 === 1,
    said: stating?.t ?? last.t,
    updatedAt: last.a.atMs,
    last: last.a,
  };
}

const isWhole = (fields: Statement): fields is Required<Statement> =>
  names.every((name) => fields[name] !== undefined);

/**
 * Statements that later ones of the same token say anew as a whole: nothing they say can become current again. Texts
 * and states stay, for the history.
 */
export function shadowed(entries: readonly Kept[]): readonly Kept[] {
  const ordered = inOrder(entries);
  return ordered.filter((entry, at) => {
    const later = ordered.slice(at + 1).filter(({ o }) => o === entry.o);
    const saidLater = (name: string): boolean =>
      later.some(({ set }) => set[name as keyof Statement] !== undefined);
    // Of two that count the same one has to stay.
    const isPinKnown =
      entry.pin === undefined ||
      ordered.some(
        ({ o, pin = 0 }, place) =>
          o === entry.o && (pin > (entry.pin ?? 0) || (pin === entry.pin && place > at)),
      );
    const { l0, l1, l2, standing } = entry.set;
    const isHistory = [l0, l1, l2, standing].some((value) => value !== undefined);
    return (
      !isHistory &&
      later.length > 0 &&
      isPinKnown &&
      Object.keys(entry.set).every((name) => saidLater(name))
    );
  });
}
