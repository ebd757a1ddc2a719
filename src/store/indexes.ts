/**
 * Writes the full-text indexes. They keep their own copy: code that changes a row says here what it
 * says now.
 */
import { type Checkpoint, type CheckpointFields, isExchange, type MemoryNode } from "#domain";
import { letterPairs, pictureWords } from "#kit";
import type { Sql, SqlValue } from "./sql.ts";

export type IndexWriter = ReturnType<typeof createIndexWriter>;

/** New documents whose words are known by their beginnings, per index. */
const arrivalsMax = 64;

const nodeColumns = "l0, l1, l2, aliases, tags, files, idents";

/** Writes through the given connection, inside whatever transaction is open. */
export function createIndexWriter(sql: Sql) {
  const journal = createJournal();
  const put = (table: string, columns: string, id: number, values: readonly SqlValue[]): void => {
    journal.came(table, initialsOf(values.filter((value) => typeof value === "string")));
    const marks = values.map(() => "?").join(", ");
    sql.run(`INSERT INTO ${table} (rowid, ${columns}) VALUES (?, ${marks})`, id, ...values);
  };
  const drop = (table: string, id: number): void => {
    if (sql.run(`DELETE FROM ${table} WHERE rowid = ?`, id).changes === 0) return;
    journal.went(table);
  };
  return {
    /** Brings a leaf's index rows in step with it; a retracted leaf has none. */
    node: (node: MemoryNode): void => {
      const table = tableOf(node);
      drop(table, node.id);
      if (node.status !== "retracted") put(table, nodeColumns, node.id, nodeTexts(node));
    },
    dropNode: (id: number): void => {
      for (const table of ["mem_fts", "archive_fts", "exchange_fts"]) drop(table, id);
    },
    prompt: (turnId: number, prompt: string | null): void => {
      drop("prompt_fts", turnId);
      if (prompt !== null && prompt !== "")
        put("prompt_fts", "prompt, idents", turnId, [prompt, identsOf([prompt])]);
    },
    checkpoint: (checkpoint: Checkpoint): void => {
      drop("checkpoint_fts", checkpoint.id);
      put("checkpoint_fts", "l0, body, files, idents", checkpoint.id, checkpointTexts(checkpoint));
    },
    dropCheckpoint: (id: number): void => drop("checkpoint_fts", id),
    /** Counts documents of an index that came or went since the store was opened: caches of frequencies go by it. */
    changes: journal.changes,
    /**
     * Beginnings of all words of the documents that came since `changes` was `since`; null when that is not known, or
     * documents went.
     */
    initialsSince: (index: string, since: number): ReadonlySet<string> | null =>
      journal.since(index, since, false),
    /** The same whether documents went or not. */
    arrivalsSince: (index: string, since: number): ReadonlySet<string> | null =>
      journal.since(index, since, true),
  };
}

const tableOf = (node: MemoryNode): string => {
  if (node.category !== "sessions") return "mem_fts";
  return isExchange(node.uri) ? "exchange_fts" : "archive_fts";
};

/** Null where the words are too many to go through. */
type Change = ReadonlySet<string> | "went" | null;

/** The last changes of each index: the beginnings of the words of a document that came, or that one went. */
function createJournal() {
  const counts = new Map<string, number>();
  const last = new Map<string, Change[]>();
  const note = (index: string, initials: Change): void => {
    counts.set(index, (counts.get(index) ?? 0) + 1);
    const entries = last.get(index) ?? [];
    entries.push(initials);
    if (entries.length > arrivalsMax) entries.shift();
    last.set(index, entries);
  };
  return {
    came: (index: string, initials: ReadonlySet<string> | null): void => note(index, initials),
    went: (index: string): void => note(index, "went"),
    changes: (index: string): number => counts.get(index) ?? 0,
    since: (index: string, since: number, mayGo: boolean): ReadonlySet<string> | null => {
      const missed = (counts.get(index) ?? 0) - since;
      const entries = last.get(index) ?? [];
      if (missed > entries.length) return null;
      const found = new Set<string>();
      for (const initials of entries.slice(entries.length - missed)) {
        if (initials === "went" && mayGo) continue;
        if (initials === null || initials === "went") return null;
        for (const initial of initials) found.add(initial);
      }
      return found;
    },
  };
}

const nodeTexts = (node: MemoryNode): readonly SqlValue[] => {
  const { l0, l1, l2, aliases, tags, files } = node;
  const lists = [aliases, tags, files].map((list) => list.join("\n"));
  return [l0, l1 ?? "", l2 ?? "", ...lists, identsOf([l0, l1 ?? "", l2 ?? "", ...lists])];
};

function checkpointTexts(checkpoint: Checkpoint): readonly SqlValue[] {
  const { l0, filesRead, filesEdited, filesInHand } = checkpoint;
  const body = bodyOf(checkpoint);
  const files = [...new Set([...filesRead, ...filesEdited, ...filesInHand])].join("\n");
  return [l0, body, files, identsOf([l0, body, files])];
}

const identsOf = (texts: readonly string[]): string => identifiersOf(texts.join("\n")).join("\n");

const bodyOf = (fields: CheckpointFields): string =>
  [
    fields.request,
    fields.investigated,
    fields.learned,
    fields.completed,
    fields.nextSteps,
    fields.notes,
    fields.currentTask,
  ]
    .filter((text) => text !== "")
    .join("\n");

// The identifier-aware form of a text: what the word tokeniser of the index cannot see in code. The tokeniser already
// splits `a_b`, `--a-b` and `src/a.ts` at their marks. Added here are the parts of `parseConfig` and `TS2345`, the
// glued whole of each, so that `parseConfig`, `parse_config` and `--parse-config` find each other, and a word for
// each picture. Pure. Queries need nothing of this: their terms match either form as they are.

/** Bounds what one huge document may add to the index. */
const formsMax = 400;
const textCharsMax = 40_000;
/** Longer runs are keys, hashes or base64. */
const atomCharsMax = 64;

/** Distinct forms in order: for each identifier its parts as a phrase (`parse config`) and glued (`parseconfig`). */
export function identifiersOf(text: string): readonly string[] {
  const forms = new Set<string>();
  for (const atom of text.slice(0, textCharsMax).match(atoms) ?? []) {
    if (forms.size >= formsMax) break;
    if (atom.length > atomCharsMax) continue;
    const parts = partsOf(atom);
    if (parts.length < 2) continue;
    forms.add(parts.join(" "));
    forms.add(parts.join(""));
  }
  const bounded = text.slice(0, textCharsMax);
  for (const form of [...pairsOf(bounded), ...pictureWords(bounded)]) {
    if (forms.size >= formsMax) break;
    forms.add(form);
  }
  return [...forms];
}

/** Letters and digits, held together by the marks inside identifiers. Dots and slashes end one: paths are phrases. */
const atoms = /[\p{L}\p{N}][\p{L}\p{M}\p{N}_$-]*[\p{L}\p{M}\p{N}]/gu;

/** `parseHTTPHeader2` → parse http header 2; words without a letter (dates, versions) stay the tokeniser's. */
function partsOf(atom: string): readonly string[] {
  if (!/\p{L}/u.test(atom)) return [];
  return atom
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1 ")
    .replace(/(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, "$1$2 ")
    .toLowerCase()
    .split(/[\s_$-]+/u)
    .filter((part) => part !== "");
}

/** Scripts written without spaces: the tokeniser takes a whole sentence for one word. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]{2,}/gu;

/** Every pair of neighbours in text written without spaces, in order: 配置文件 → 配置 置文 文件. */
export function pairsOf(text: string): readonly string[] {
  return (text.match(unspaced) ?? []).flatMap(letterPairs);
}

// Finds the terms whose counts a new document can have changed: so that what is remembered of all
// others may stay. Errs on the side of too many. Pure.

/** Words of longer documents are not gone through: everything is counted anew then. */
const touchedCharsMax = 4_000;

/** Stemming takes letters off the end and leaves this many alone. */
const initialLetters = 2;

/** The beginnings of all words in the texts; null when they are too long to go through. */
export function initialsOf(texts: readonly string[]): ReadonlySet<string> | null {
  if (texts.reduce((sum, { length }) => sum + length, 0) > touchedCharsMax) return null;
  const found = new Set<string>();
  for (const text of texts)
    for (const [word] of folded(text).matchAll(words)) found.add(word.slice(0, initialLetters));
  return found;
}

/** Can a document with these beginnings contain the term? Of several words the first decides. */
export function mayContain(initials: ReadonlySet<string>, term: string): boolean {
  const [first] = folded(term).match(words) ?? [];
  return first === undefined || initials.has(first.slice(0, initialLetters));
}

/** The index's words (unicode61: letters and digits, without marks, in lower case). */
const words = /[\p{L}\p{N}\p{Co}]+/gu;

const folded = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
