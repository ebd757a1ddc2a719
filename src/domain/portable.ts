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

// Tables of another program's database, read without trust and without a trace (store/foreign.ts).

type ForeignValue = string | number | null;
export type ForeignRow = Readonly<Record<string, ForeignValue>>;

export interface ForeignQuery {
  /** Columns to read; those that the table lacks are null. */
  readonly columns: readonly string[];
  readonly where?: { readonly column: string; readonly equals: string | number };
  /** Columns to sort by, those that are there. */
  readonly orderBy: readonly string[];
}

export interface ForeignDatabase extends Disposable {
  /** Ordinary tables with their columns. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** Names that are something else than a table: views, virtual tables, triggers. */
  readonly others: ReadonlySet<string>;
  readonly count: (table: string) => number;
  /** Streams rows. Throws when the file is damaged in a part that was not checked. */
  readonly rows: (table: string, query: ForeignQuery) => Iterable<ForeignRow>;
  /** Null, or in what way a table is damaged. */
  readonly damage: (table: string) => string | null;
}

/** One sentence for a person: what is wrong with the file. */
export interface ForeignError {
  readonly type: "foreign.unreadable";
  readonly message: string;
}

// The sources of imports, kept with each import: so that a second run of the same import, or the rest of a broken one,
// doubles nothing.

export const importSources = [
  "claude-mem",
  "claude-code",
  "codex",
  "gemini",
  "copilot",
  "opencode",
  "mcp-memory",
  "continuity",
] as const;
export type ImportSource = (typeof importSources)[number];

/** One record of a source as it was taken. Holds no text: keys are hashes or ids of the source. */
export interface ImportMark {
  /** The node it became or was found to be; null when it became none. */
  readonly nodeId: number | null;
  /** The bytes of a growing source that were read; null for what does not grow. */
  readonly extent: number | null;
}

export interface ImportLedger {
  /** Null when this record was never imported. */
  readonly find: (source: ImportSource, key: string) => ImportMark | null;
  /** Imported sessions that no model was asked about, the newest first, with the length of what was said in them. */
  readonly unread: () => readonly { readonly sessionId: string; readonly chars: number }[];
  /** Notes a record, or a later state of it. */
  readonly save: (source: ImportSource, key: string, mark: ImportMark, atMs: number) => void;
}

export interface ImportCounts {
  readonly created: number;
  readonly merged: number;
  readonly skipped: number;
}

/** The outcome for one record. `counted` false: the item is no record, and stands in no figure. */
export interface ImportOutcome {
  readonly outcome: "created" | "merged" | "skipped" | "refused";
  /** In words that people read in the report; empty for what was created. */
  readonly reason: string;
  readonly counted: boolean;
  /** The memories made of a turn's sentences. */
  readonly memories: ImportCounts;
}

/** The facts that are known of a session before its transcript is read. */
export interface KnownSession {
  /** `captured`: by hooks, or by an import of another source; `imported`: by this one. */
  readonly state: "new" | "imported" | "captured";
  readonly turns: number;
  /** Bytes of the transcript that were read. */
  readonly extent: number;
}

/** The result of an import, or of its dry run: the fields of `import --json`. */
export interface ImportReport {
  readonly source: ImportSource;
  readonly dry_run: boolean;
  /** read = created + merged + skipped + refused. */
  readonly read: number;
  readonly created: number;
  readonly merged: number;
  readonly skipped: number;
  readonly refused: number;
  /** The number of records that were left, by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /** The memories made of the turns' sentences; memories that are records themselves stand above. */
  readonly memories: ImportCounts;
  readonly elapsed_ms: number;
}
