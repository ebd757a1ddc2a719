/** Tables of another program's database, read without trust and without a trace (store/foreign.ts). */

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
