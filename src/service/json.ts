/**
 * The documented JSON forms: what the HTTP API answers, what `--json` prints and what every other client sees.
 * Field names are stable and match the columns of the schema where there is one. Times are epoch milliseconds,
 * `project` is a project key (null = everywhere), scores run from 0 to about 1.
 */
import type {
  Category,
  DocumentKind,
  Evidence,
  Explanation,
  Maker,
  NodeStatus,
  NodeType,
  Origin,
  Relation,
} from "#domain";

export interface TokenCosts {
  readonly l0: number;
  readonly l1: number;
  readonly l2: number;
}

/** A memory (or a leaf of the archive) without its full content. */
export interface MemoryJson {
  readonly id: number;
  readonly uri: string;
  readonly category: Category | null;
  readonly project: string | null;
  readonly branch: string | null;
  readonly l0: string;
  readonly l1: string | null;
  readonly importance: number;
  readonly relevance: number;
  readonly status: NodeStatus;
  readonly origin: Origin;
  readonly maker: Maker;
  readonly pinned: boolean;
  readonly tags: readonly string[];
  readonly files: readonly string[];
  readonly evidence_count: number;
  readonly access_count: number;
  readonly last_access: number | null;
  readonly source_session: string | null;
  /** What it is about, `subject · attribute`; null where nobody said. */
  readonly slot: string | null;
  readonly expires_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface LinkJson {
  readonly relation: Relation;
  /** `to`: this memory points at `uri`; `from`: `uri` points at this memory. */
  readonly direction: "to" | "from";
  readonly uri: string;
  readonly l0: string;
}

/** A memory as `show` gives it: everything that is known of it. */
export interface NodeJson extends MemoryJson {
  /** Id of its latest revision: what `If-Match` is held against. */
  readonly revision: number;
  readonly node_type: NodeType;
  /** How often it was injected in the last 90 days: at a session's start or with a prompt. */
  readonly given_count: number;
  readonly l2: string | null;
  readonly aliases: readonly string[];
  readonly evidence: readonly Evidence[];
  readonly valid_from: number | null;
  readonly valid_to: number | null;
  readonly superseded_by: string | null;
  readonly links: readonly LinkJson[];
  readonly tokens: TokenCosts;
}

export interface FoundJson {
  readonly uri: string;
  readonly kind: DocumentKind;
  readonly category: Category | null;
  /** Whose word it is; null for what is no memory. */
  readonly origin: Origin | null;
  readonly project: string | null;
  readonly l0: string;
  /** Present in the formats `overview` and `full`. */
  readonly l1?: string | null;
  /** Present in the format `full`. */
  readonly l2?: string | null;
  readonly score: number;
  readonly at: number;
  readonly status: NodeStatus | null;
  readonly superseded_by: string | null;
  /** What fetching each tier would cost. */
  readonly tokens: TokenCosts;
  readonly explanation: ExplanationJson;
}

export interface ExplanationJson extends Explanation {
  /** `query`: matched the whole query; `clause`: a part of it; `sibling`, `link`: hangs beside a good hit. */
  readonly via: "query" | "clause" | "sibling" | "link";
}

export interface SearchJson {
  readonly query: string;
  readonly mode: SearchMode;
  readonly format: SearchFormat;
  /** The parts the query was split into (`search` only). */
  readonly clauses: readonly string[];
  /** Who split it: a model, or the rules of this program. */
  readonly intent: "local" | "model";
  /** Looks that followed the first (`search` only): at most three, fewer when one changed nothing. */
  readonly rounds: number;
  /** Project keys that were searched besides global memories; null = all. */
  readonly projects: readonly string[] | null;
  readonly results: readonly FoundJson[];
  /** Tokens of the text in this answer. */
  readonly tokens: number;
}

export type SearchMode = "find" | "search";
export type SearchFormat = "index" | "overview" | "full";

/** One page of a list; `next_cursor` null = the last one. */
export interface PageJson<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

export interface MemoryPageJson extends PageJson<MemoryJson> {
  /** Memories that pass the filters, on all pages together. */
  readonly total: number;
  /** Names of the projects of these memories, by key. */
  readonly project_names: Readonly<Record<string, string>>;
}

export interface TreeEntryJson {
  readonly uri: string;
  readonly node_type: NodeType;
  readonly l0: string;
  readonly category: Category | null;
  readonly project: string | null;
  readonly status: NodeStatus;
  /** Leaves below a directory; 0 for a leaf. */
  readonly leaves: number;
  readonly tokens: TokenCosts;
}

export interface TreeJson {
  readonly uri: string;
  readonly items: readonly TreeEntryJson[];
  /** Entries on all pages together. */
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface RememberedJson {
  /** What became of it. `known`: it was there already. */
  readonly action: "created" | "merged" | "superseded" | "known";
  readonly memory: MemoryJson;
  /** How many secrets were replaced before it was stored. */
  readonly redactions: number;
  /** Characters beyond the longest text that a memory may have: they were not kept. */
  readonly cut_characters: number;
}

export interface ForgottenJson {
  /** URIs that are gone for good. */
  readonly forgotten: readonly string[];
  /** False: another program was reading, so free pages of the file still hold traces until the next purge. */
  readonly purged: boolean;
  /** Injections that stay on record without the lines that told it. */
  readonly redacted: number;
  /** What still says nearly the same, in other words. */
  readonly similar: readonly SimilarJson[];
}

export interface SimilarJson {
  readonly uri: string;
  readonly kind: DocumentKind;
  readonly l0: string;
}
