/**
 * What a reader of one source is, and what it may ask for. A reader is a stream: it holds no more than one record and
 * small maps of ids, and it knows neither the daemon nor the terminal.
 */
import type { GateDep, ProjectIdentity, Settings } from "#domain";
import type { ImportItem } from "./items.ts";

export type ReadStep =
  | { readonly type: "item"; readonly item: ImportItem }
  /** Records that were read and are not handed over. */
  | {
      readonly type: "left";
      readonly outcome: "skipped" | "refused";
      readonly reason: string;
      readonly count: number;
    }
  /** So many bytes (or rows) of `total` are behind us. */
  | { readonly type: "progress"; readonly done: number };

export interface ReadPlan {
  /** Bytes or rows; null when it is not known beforehand. */
  readonly total: number | null;
  readonly unit: "bytes" | "records";
  readonly steps: AsyncIterable<ReadStep> | Iterable<ReadStep>;
  readonly close: () => void;
}

/** Nothing was read and nothing will be: one sentence, and what to do. */
export class SourceFailure extends Error {
  readonly next: string | null;

  constructor(message: string, next: string | null = null) {
    super(message);
    this.next = next;
  }
}

export interface ReaderDeps extends GateDep {
  readonly settings: () => Settings;
  /** The command's own now: what has expired by then is not brought back. */
  readonly nowMs: number;
  readonly home: string;
  readonly projectOf: (cwd: string) => ProjectIdentity | null;
  readonly isExcluded: (cwd: string) => boolean;
  /** Key of the one project that is known by this name; null when there is none, or more than one. */
  readonly projectNamed: (name: string) => string | null;
}

export const itemStep = (item: ImportItem): ReadStep => ({ type: "item", item });

export const left = (outcome: "skipped" | "refused", reason: string, count = 1): ReadStep => ({
  type: "left",
  outcome,
  reason,
  count,
});
