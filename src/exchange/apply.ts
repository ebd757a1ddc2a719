/**
 * Takes items into the store: the daemon's half of an import. Every item is idempotent by its key, so whatever was
 * committed before a kill is passed over the next time.
 *
 * Must not know where items come from. Items are already gated by the reader; what was forgotten stays forgotten, and
 * what people edited stays as they left it.
 */
import {
  heirOf,
  holdsForgotten,
  type ImportOutcome,
  type ImportSource,
  type KnownSession,
  liftForgotten,
  ownProject,
  type Store,
} from "#domain";
import { type Clock, errorCode, isoTime, isRecord, type Json, msPerMinute } from "#kit";
import {
  applyEnd,
  type Applying,
  applyMemory,
  applySession,
  applySummary,
  applyTurn,
  type ImportContext,
  sessionKey,
} from "./apply-records.ts";
import {
  created,
  type ImportItem,
  type ItemOf,
  parseItem,
  reasons,
  refused,
  skipped,
} from "./items.ts";

export const newSession: KnownSession = { state: "new", turns: 0, extent: 0 };

export interface Taken {
  /** In the order of the items. */
  readonly outcomes: readonly ImportOutcome[];
  /** The time that other requests waited, ms. */
  readonly tookMs: number;
}

export interface Importer {
  /** Takes a batch in one transaction; outcomes in order. Throws when the disk fails, and then nothing was taken. */
  readonly apply: (source: ImportSource, items: readonly unknown[]) => Taken;
  readonly known: (source: ImportSource, sessionIds: readonly string[]) => readonly KnownSession[];
}

export const createImporter = (context: ImportContext): Importer => {
  const { store } = context;
  const runOf = createRuns(context);
  return {
    apply: (source, items) => applyBatch({ ...context, source, by: runOf(source) }, items),
    known: (source, sessionIds) =>
      store.transaction(() => sessionIds.map((id) => knownSession(store, source, id))),
  };
};

/** Batches that follow each other so closely are one run of an import. */
const runGapMs = 5 * msPerMinute;

function createRuns({ clock }: { readonly clock: Clock }): (source: ImportSource) => string {
  const runs = new Map<ImportSource, { readonly by: string; readonly lastMs: number }>();
  return (source) => {
    const nowMs = clock.nowMs();
    const last = runs.get(source);
    const goesOn = last !== undefined && Math.abs(nowMs - last.lastMs) < runGapMs;
    const by = goesOn ? last.by : `import:${source}:${isoTime(nowMs).slice(0, 19)}Z`;
    runs.set(source, { by, lastMs: nowMs });
    return by;
  };
}

function applyBatch(run: Applying, items: readonly unknown[]): Taken {
  run.onBatch();
  const startMs = performance.now();
  const outcomes = run.store.transaction(() => items.map((item) => applyOne(run, item)));

  // Everything else brings its vectors along.
  if (run.source === "continuity" && outcomes.some(({ outcome }) => outcome === "created"))
    while (run.embedMissing() > 0);
  return { outcomes, tookMs: performance.now() - startMs };
}

function knownSession(store: Store, source: ImportSource, sessionId: string): KnownSession {
  const session = store.sessions.byId(sessionId);
  if (session === null) return newSession;
  const mark = store.imports.find(source, sessionKey(sessionId));
  const turns = store.sessions.currentTurn(sessionId)?.n ?? 0;
  if (mark === null) return { state: "captured", turns, extent: 0 };
  return { state: "imported", turns, extent: mark.extent ?? 0 };
}

/** A savepoint each: an item that makes no sense to the store is refused alone. */
function applyOne(run: Applying, value: unknown): ImportOutcome {
  const item = parseItem(value);
  if ("wrong" in item) return refused(`not as expected (${item.wrong})`);
  try {
    return run.store.transaction(() => applyItem(run, owned(run, item)));
  } catch (error) {
    if (isOfTheDisk(error)) throw error;
    return refused("the database did not take it");
  }
}

const isOfTheDisk = (error: unknown): boolean => /^SQLITE_(?!CONSTRAINT)/.test(errorCode(error));

/** A record names the project that its folder said; a person may have decided otherwise since. */
function owned({ store }: Applying, item: ImportItem): ImportItem {
  if (!("project" in item) || item.project === null) return item;
  const rules = store.projects.rules();
  // The two forms of a project belong to different kinds of items, which a union of them cannot say.
  const project =
    typeof item.project === "string"
      ? heirOf(rules.merged, item.project)
      : ownProject(rules, item.project, "cwd" in item ? item.cwd : null);
  return { ...item, project } as ImportItem;
}

function applyItem(run: Applying, item: ImportItem): ImportOutcome {
  switch (item.kind) {
    case "session":
      return applySession(run, item);
    case "turn":
      return applyTurn(run, item);
    case "end":
      return applyEnd(run, item);
    case "summary":
      return applySummary(run, item);
    case "memory":
      return applyMemory(run, item);
    case "portable":
      return applyPortable(run, item);
  }
}

// Records of our own export: written as they are where their place is free.

/** The keys that hold the texts of a record; what was forgotten here does not come back out of an old export. */
const textKeys = "l0 l1 l2 prompt answer firstPrompt title narrative target text".split(" ");

function applyPortable({ store }: Applying, { record }: ItemOf<"portable">): ImportOutcome {
  const texts = textKeys.map((key) => record[key]).filter((text) => typeof text === "string");
  if (record["kind"] === "node" && record["origin"] === "user")
    liftForgotten(store, texts, Number(record["createdAt"]));
  if (holdsForgotten(store, texts)) return skipped(reasons.forgotten);
  const put = store.portable.put(ofElsewhere(record));
  switch (put.outcome) {
    case "created":
      return created;
    case "there":
      return skipped(reasons.there);
    case "unknown-kind":
      return skipped("a kind that this version does not know");
    case "refused":
      return refused(put.reason.slice(0, 200));
  }
}

/** The record as an import: nothing proves who said what a file calls the user's. */
function ofElsewhere(record: Json): Json {
  const { kind, fields } = record;
  if (kind === "node") return withoutUser(record);
  return kind === "revision" && isRecord(fields)
    ? { ...record, fields: withoutUser(fields) }
    : record;
}

const withoutUser = (record: Json): Json =>
  record["origin"] === "user" ? { ...record, origin: "import" } : record;
