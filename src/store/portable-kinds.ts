/**
 * Declares the records of an export, as data: each kind of record with its table, once for reading
 * and for writing. A new table that holds something of the user's is a new row here.
 */
import { snakeCase } from "#kit";

type ColumnType = "text" | "int" | "real" | "bool" | "json";

export interface PortableColumn {
  /** Key of the record. */
  readonly name: string;
  readonly column: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
  /** Exports of earlier versions have no such key: then it is null. */
  readonly isLate: boolean;
  /** The column holds a node's id, the record its URI. */
  readonly isNode: boolean;
}

export interface PortableKind {
  readonly kind: string;
  readonly table: string;
  readonly columns: readonly PortableColumn[];
  /** Columns by which a record is known again; what has no key of its own is known by all of them. */
  readonly key: readonly string[];
  /** `ORDER BY`, of the table as `t` and its node as `n`: the same for the same content, whatever the local ids are. */
  readonly order: string;
  /** Further condition of the SELECT. */
  readonly where?: string;
  /** The index that takes the record once it is written. */
  readonly indexed?: "node" | "turn" | "checkpoint";
}

const columnNames: Readonly<Record<string, string>> = {
  l0: "l0_abstract",
  l1: "l1_overview",
  l2: "l2_content",
  uri: "node_id",
  from: "from_id",
  to: "to_id",
};

/**
 * `name:type` with `?` for what may be null, `??` for what may be missing as well; `node` is the URI of a node, kept
 * as its id.
 */
function columnsOf(text: string, own: Readonly<Record<string, string>> = {}): PortableColumn[] {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => {
      const [name = "", type = ""] = word.replace(/\?+$/, "").split(":");
      return {
        name,
        column: own[name] ?? columnNames[name] ?? snakeCase(name),
        type: isType(type) ? type : "text",
        isNullable: word.endsWith("?"),
        isLate: word.endsWith("??"),
        isNode: type === "node",
      };
    });
}

const isType = (word: string): word is ColumnType =>
  ["text", "int", "real", "bool", "json"].includes(word);

interface Rest extends Omit<PortableKind, "columns" | "key" | "kind" | "table"> {
  readonly key?: string;
  /** Columns by keys of the record, where they are called otherwise. */
  readonly own?: Readonly<Record<string, string>>;
}

function kindOf(kind: string, table: string, text: string, { own, ...rest }: Rest): PortableKind {
  const columns = columnsOf(text, own);
  const key = rest.key?.split(" ") ?? columns.map(({ column }) => column);
  return { ...rest, kind, table, columns, key };
}

/** In the order in which they are written: what a record names stands before it. */
export const portableKinds: readonly PortableKind[] = [
  kindOf("project", "projects", "key:text name:text firstSeen:int", { key: "key", order: "t.key" }),
  kindOf(
    "node",
    "mem_nodes",
    `uri:text parentUri:text? nodeType:text category:text? project:text? branch:text? scope:text status:text
       origin:text maker:text sourceSession:text? createdAt:int updatedAt:int validFrom:int? validTo:int? expiresAt:int?
       lastAccess:int? accessCount:int importance:int evidenceCount:int pinned:bool mergeable:bool l0:text l1:text?
       l2:text? tags:json files:json aliases:json anchors:json evidence:json slot:text?? author:text??`,
    { key: "uri", order: "t.uri", indexed: "node", own: { uri: "uri" } },
  ),
  kindOf("merged", "mem_nodes", "uri:text from:json", {
    key: "uri",
    order: "t.uri",
    where: "t.merged_from <> '[]'",
    own: { uri: "uri", from: "merged_from" },
  }),
  kindOf(
    "revision",
    "mem_revisions",
    "uri:node atMs:int action:text madeBy:text reason:text status:text l0:text l1:text? l2:text? fields:json",
    { order: "n.uri, t.id" },
  ),
  kindOf("link", "mem_links", "from:node to:node relation:text weight:real createdAt:int", {
    key: "from_id to_id relation",
    order: "n.uri, m.uri, t.relation",
  }),
  kindOf(
    "session",
    "sessions",
    `sessionId:text project:text? projectName:text? branch:text? cwd:text? title:text? firstPrompt:text? status:text
       startedAt:int endedAt:int? lastEventAt:int parentSession:text? transcriptPath:text? compactSummary:text?`,
    { key: "session_id", order: "t.session_id" },
  ),
  kindOf(
    "turn",
    "turns",
    `sessionId:text n:int promptId:text? line:int? status:text startedAt:int endedAt:int? toolCount:int prompt:text?
       answer:text? filesRead:json filesEdited:json isPrivate:bool?? isHeadless:bool??`,
    { key: "session_id n", order: "t.session_id, t.n", indexed: "turn" },
  ),
  kindOf(
    "toolUse",
    "tool_uses",
    `sessionId:text seq:int turn:int toolUseId:text? tool:text target:text? files:json outcome:text text:text?
       atMs:int agentId:text?`,
    { key: "session_id seq", order: "t.session_id, t.seq" },
  ),
  kindOf(
    "observation",
    "observations",
    `sessionId:text turn:int project:text? type:text atMs:int title:text subtitle:text narrative:text facts:json
       concepts:json filesRead:json filesModified:json`,
    { order: "t.session_id, t.turn, t.id" },
  ),
  kindOf(
    "checkpoint",
    "checkpoints",
    "sessionId:text n:int project:text? atMs:int madeAt:text isCurrent:bool l0:text fields:json",
    { key: "session_id n", order: "t.session_id, t.n", indexed: "checkpoint", own: { l0: "l0" } },
  ),
  kindOf("exposure", "exposures", "sessionId:text uri:node channel:text atMs:int isSeen:bool", {
    order: "t.at_ms, t.session_id, n.uri, t.channel, t.is_seen",
  }),
  kindOf(
    "injection",
    "injections",
    "sessionId:text atMs:int channel:text cause:text tokens:int text:text reasons:text feedback:text??",
    { order: "t.session_id, t.id" },
  ),
  kindOf(
    "llmCall",
    "llm_calls",
    `atMs:int purpose:text provider:text model:text sessionId:text? tokensIn:int tokensOut:int costUsd:real?
       latencyMs:int outcome:text estimated:bool??`,
    { order: "t.at_ms, t.id" },
  ),
  kindOf("forgotten", "forgotten", "fingerprint:text atMs:int", {
    key: "fingerprint",
    order: "t.fingerprint",
  }),
];
