/** What reading and writing the log needs. */
import type { MemoryNode, Store } from "#domain";
import type { ClockDep } from "#kit";

export interface LogDeps extends ClockDep {
  readonly store: Store;
  /** Brings what is found by meaning in step with a memory that came or changed. */
  readonly index: (node: MemoryNode) => void;
  /** Forgets leaves by URI as a person would: texts, files and vectors. Not inside a transaction. */
  readonly forget: (uris: readonly string[]) => void;
}

export const numberAt = ({ store }: LogDeps, name: string): number =>
  Number(store.admin.getMeta(name) ?? 0);

/** Names in the store's small facts. */
export const metaNames = {
  revision: "sync.revision",
  used: "sync.used",
  links: "sync.links",
  digest: "sync.digest",
  /** How often something had been forgotten when digests were last looked at from the first. */
  forgets: "sync.forgets",
  /** Rows of this log that held forgotten words went, and the file was not cleaned since. */
  purge: "sync.purge",
} as const;
