/** What was imported before: so that a second run of the same import, or the rest of a broken one, doubles nothing. */

export const importSources = [
  "claude-mem",
  "claude-code",
  "codex",
  "gemini",
  "copilot",
  "opencode",
  "aider",
  "mcp-memory",
  "continuity",
] as const;
export type ImportSource = (typeof importSources)[number];

/** One record of a source as it was taken. Holds no text: keys are hashes or ids of the source. */
export interface ImportMark {
  /** The node it became or was found to be; null when it became none. */
  readonly nodeId: number | null;
  /** How far a growing source was read, in bytes; null for what does not grow. */
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

/** What an import did, or would do: the fields of `import --json`. */
export interface ImportReport {
  readonly source: ImportSource;
  readonly dry_run: boolean;
  /** read = created + merged + skipped + refused. */
  readonly read: number;
  readonly created: number;
  readonly merged: number;
  readonly skipped: number;
  readonly refused: number;
  /** How many records were left for which reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /** What the sentences of the turns became; memories that are records themselves stand above. */
  readonly memories: {
    readonly created: number;
    readonly merged: number;
    readonly skipped: number;
  };
  readonly elapsed_ms: number;
}
