/**
 * Everything that is remembered as a stream of records without local ids: what an export is made of, and an import of
 * one writes back. docs/export.md describes every kind.
 */

export type PortableValue =
  | string
  | number
  | boolean
  | null
  | readonly PortableValue[]
  | { readonly [name: string]: PortableValue };

/** `kind` says which keys follow. Times are epoch milliseconds; nodes are named by their URI. */
export interface PortableRecord {
  readonly kind: string;
  readonly [name: string]: PortableValue;
}

/** The format that `PortableStore` reads and writes. */
export const portableFormat = 1;

export type PutOutcome =
  | { readonly outcome: "created" }
  /** Its key is taken, whatever it says: nothing changed. */
  | { readonly outcome: "there" }
  | { readonly outcome: "unknown-kind" }
  | { readonly outcome: "refused"; readonly reason: string };

export interface PortableStore {
  /**
   * Every record in an order that names nothing before it stands there; two stores with the same content give the same
   * records. One moment of the database, held open until the last one is taken: for a connection of its own.
   */
  readonly records: () => Iterable<PortableRecord>;
  /** The records at the end of `records`: salts and fingerprints of what was forgotten. */
  readonly fingerprints: () => readonly PortableRecord[];
  /**
   * Writes one record as it is, index rows included, when its key is free. Expects the order of `records`, and a
   * caller's transaction around many. Never throws for a record that makes no sense.
   */
  readonly put: (record: unknown) => PutOutcome;
}
