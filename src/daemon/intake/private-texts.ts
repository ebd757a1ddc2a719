/**
 * Private turns and what was private in them. What private blocks of a session's prompts held, so that its answers and
 * tool records can be scrubbed of it. The texts live in memory only, bounded, never stored and never logged; their
 * words outlive the process as hashes.
 */
import type { GatedText, HookName, PrivacyGate, Store } from "#domain";
import type { PrivateWords } from "./private-words.ts";

export type PrivateTextRegister = ReturnType<typeof createPrivateTextRegister>;

const sessionsMax = 200;
const textsPerSessionMax = 50;

export function createPrivateTextRegister(words: PrivateWords) {
  const textsBySession = new Map<string, readonly string[]>();
  const of = (sessionId: string): readonly string[] => textsBySession.get(sessionId) ?? [];
  const add = (sessionId: string, texts: readonly string[]): void => {
    if (texts.length === 0) return;
    const known = of(sessionId);
    // Re-inserting moves the session to the young end, so that the oldest leaves first.
    textsBySession.delete(sessionId);
    textsBySession.set(sessionId, [...known, ...texts].slice(-textsPerSessionMax));
    const oldest = textsBySession.keys().next().value;
    if (textsBySession.size > sessionsMax && oldest !== undefined) textsBySession.delete(oldest);
  };
  return {
    of,
    add,
    /** Adds what private blocks held: later turns that retell it lose the sentence. */
    addPrivate: (sessionId: string, texts: readonly string[]): void => {
      add(sessionId, texts);
      words.add(sessionId, texts);
    },
    addOffRecord: words.addOffRecord,
    /** A text behind the gate, without the secrets that it repeats; its own are known by value from now on. */
    clean: (gate: PrivacyGate, sessionId: string, text: string): GatedText => {
      const clean = gate.clean(text);
      words.addSecrets(sessionId, clean.secrets);
      return { ...clean, text: words.withoutSecrets(sessionId, clean.text) };
    },
    inherit: words.inherit,
    /** True for a text of which a part retells what was private. */
    retells: (sessionId: string, text: string): boolean => words.scrub(sessionId, text) !== text,
    /**
     * The text without secrets, echoes of `also` and of what is hidden, and sentences that retell what was private. Its
     * secrets are known by value from now on.
     */
    scrub: (
      gate: PrivacyGate,
      sessionId: string,
      { text, also = [] }: { readonly text: string; readonly also?: readonly string[] },
    ): string => {
      const clean = gate.cleanAgainst(text, [...of(sessionId), ...also]);
      words.addSecrets(sessionId, clean.secrets);
      return words.scrub(sessionId, words.withoutSecrets(sessionId, clean.text));
    },
  };
}

// Private turns, as far as the reading of agents' notes has to know of them: when they began, and that notes are read
// before and after each, so that what was written meanwhile is told apart. Notes are read at a session's start and
// end as well.

const quietName = "agent-notes.quiet";
const quietMax = 100;

interface Told {
  readonly hook: HookName;
  readonly sessionId: string;
  readonly atMs: number;
  readonly cwd: string | null;
  readonly transcriptPath: string | null;
  /** True for a prompt of which something is private, or nothing is to be kept. */
  readonly isQuiet: boolean;
  /** When the turn began that is private from now on; absent or null = it begins with this event. */
  readonly sinceMs?: number | null;
}

/** Hooks that say nothing of whether a turn is over. */
const within: ReadonlySet<HookName> = new Set(["tool", "subagent", "compact"]);

/** Sees to it that notes are read when a session starts and ends, and when a private turn is over. */
export function watchNotes(store: Store, told: Told): void {
  const { hook, sessionId } = told;
  if (within.has(hook)) return;
  const isOver = quietOf(store)[sessionId] !== undefined;
  const begins = hook === "submit" && told.isQuiet;
  if (isOver || begins) keepQuiet(store, sessionId, begins ? (told.sinceMs ?? told.atMs) : null);
  // The files as they stood before a private turn tell what it changed.
  if (isOver) enqueueReading(store, told, "over");
  if (begins || hook === "start" || hook === "end") enqueueReading(store, told, hook);
}

/** Private turns that still run: the session, and when the turn began. */
export const quietOf = ({ admin }: Store): Readonly<Record<string, number>> =>
  // Written below, and by nobody else.
  JSON.parse(admin.getMeta(quietName) ?? "{}") as Record<string, number>;

function keepQuiet(store: Store, sessionId: string, fromMs: number | null): void {
  const others = Object.entries(quietOf(store)).filter(([id]) => id !== sessionId);
  const now = fromMs === null ? others : [...others, [sessionId, fromMs] as const];
  store.admin.setMeta(quietName, JSON.stringify(Object.fromEntries(now.slice(-quietMax))));
}

function enqueueReading({ jobs }: Store, told: Told, occasion: HookName | "over"): void {
  const { sessionId, atMs, cwd, transcriptPath } = told;
  if (cwd === null || transcriptPath === null) return;
  const key = `notes:${sessionId}:${occasion}:${atMs}`;
  const isOver = occasion === "over";
  const payload = { atMs, cwd, transcriptPath, isOver, quietSinceMs: told.sinceMs ?? null };
  jobs.enqueue({ key, kind: "notes", sessionId, payload, runAfterMs: 0 });
}
