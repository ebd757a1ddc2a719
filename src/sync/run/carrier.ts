/** What carries segments: a flat space of names whose objects are written once. Learns names, sizes and times. */
import { createHash } from "node:crypto";

export interface Carrier {
  /** Names that begin with `prefix` and come after `after`, in order; at most `namesMax`. */
  readonly list: (prefix: string, after: string) => Promise<readonly string[]>;
  /** Null when there is none (yet). */
  readonly get: (name: string) => Promise<Uint8Array | null>;
  /** Whole or not at all, and never over another one. */
  readonly put: (name: string, bytes: Uint8Array) => Promise<"created" | "exists">;
  /** Where one answer can hold many objects: what comes after these names in their folders, in order, in parts. */
  readonly ahead?: (after: readonly string[]) => Promise<readonly Found[]>;
  readonly close: () => Promise<void>;
}

interface Found {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Names in one answer of `list`. */
export const namesMax = 1_000;
/** A larger object is none of ours. */
export const objectBytesMax = 64 * 1_048_576;

/** Names are ours: letters, digits, dots and hyphens, in folders. */
export const isObjectName = (name: string): boolean =>
  /^(?:[a-z0-9][a-z0-9.-]*\/)*[a-z0-9][a-z0-9.-]*$/.test(name) && name.length <= 200;

/** The carrier cannot be used now: one line for a person, and what to do. */
export class CarrierFailure extends Error {
  readonly next: string;
  /** Whether other credentials could help. */
  readonly isRefused: boolean;

  constructor(message: string, next: string, isRefused = false) {
    super(message);
    this.next = next;
    this.isRefused = isRefused;
  }
}

/** All names of a prefix behind another, page by page. */
export async function* namesIn(
  carrier: Carrier,
  prefix: string,
  after = "",
): AsyncGenerator<string, void> {
  for (let last = after; ;) {
    const names = await carrier.list(prefix, last);
    yield* names;
    const end = names.at(-1);
    if (end === undefined || names.length < namesMax) return;
    last = end;
  }
}

// Name of a space where the carrier tells its machines of a write.

/** Only who knows the space knows the name, and hears of it. */
export const channelOf = (space: string): string =>
  `continuity_${createHash("sha256").update(`continuity ${space}`).digest("hex").slice(0, 32)}`;
