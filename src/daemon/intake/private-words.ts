/** Ties private words to their places: files beside the spool, what is known, a vocabulary. */
import {
  addKnownSecrets,
  addOffRecordWords,
  addPrivateWords,
  inheritKnownSecrets,
  inheritPrivateWords,
  knownSecretsOf,
  privateWordsOf,
} from "#hooks";
import { documentKinds, type Embedder, type HomePaths, secretMark, type Store } from "#domain";
import { loadEmbeddedModel } from "#embed";
import { type Clock, msPerDay, tellingMarksOf, withoutValues } from "#kit";
import { isTool, stopWords } from "#language";
import { openValueIn, withoutRetold, type Retold, type Standing } from "#privacy";

interface Vocabulary {
  readonly isWord?: Embedder["isWord"];
}

/** Times in each month and on each day of a week. */
const datedMs: readonly number[] = Array.from({ length: 24 }, (_, n) => n * 15.3 * msPerDay).concat(
  Array.from({ length: 7 }, (_, n) => n * msPerDay),
);

/** Names of months and weekdays, made when a word is first asked for. */
let dateNames: ReadonlySet<string> | null = null;
const dateNamesOf = (): ReadonlySet<string> =>
  new Set(
    ["en", "de", "fr", "es", "pt", "ru"].flatMap((language) =>
      (["month", "weekday"] as const).flatMap((field) => {
        const form = new Intl.DateTimeFormat(language, { [field]: "long", timeZone: "UTC" });
        return datedMs.map((ms) => form.format(ms).toLowerCase());
      }),
    ),
  );

/** `standingIn` gives the rarity of a word; `isKnown`: it was said in the open. */
export const standingIn =
  ({ isWord }: Vocabulary, isKnown: (word: string) => boolean) =>
  (word: string): Standing => {
    dateNames ??= dateNamesOf();
    if (isTool(word) || stopWords.has(word) || dateNames.has(word) || isKnown(word)) return "known";
    const bare = word.normalize("NFKD").replace(/\p{M}+/gu, "");
    return isWord === undefined || isWord(word) || isWord(bare) ? "plain" : "rare";
  };

/** True for a word that a prompt, an exchange or a memory holds, or that names the session's project. */
function knownIn({ lexical, sessions }: Store, sessionId: string): (word: string) => boolean {
  const { project, projectName, cwd, branch } = sessions.byId(sessionId) ?? {};
  const names = new Set(tellingMarksOf([project, projectName, cwd, branch].join(" ")));
  return (word) =>
    names.has(word) ||
    documentKinds.some(
      (kind) => (lexical.frequencies(kind, [word], null).byTerm.get(word) ?? 0) > 0,
    );
}

export type PrivateWords = ReturnType<typeof createPrivateWords>;

/**
 * The private words of a session, against which later text of it is held: words as salted hashes, never themselves.
 */
export function createPrivateWords(
  paths: HomePaths,
  {
    store,
    embedder,
    clock,
  }: { readonly store: Store; readonly embedder: Vocabulary; readonly clock: Clock },
) {
  const now = (session: string) => ({ session, nowMs: clock.nowMs() });
  return {
    add: (sessionId: string, texts: readonly string[]): void =>
      addPrivateWords(paths, now(sessionId), texts),
    addOffRecord: (sessionId: string, prompts: readonly string[]): void =>
      addOffRecordWords(paths, now(sessionId), prompts),
    /** Adds what the gate took for secrets: known by value from now on. */
    addSecrets: (sessionId: string, secrets: readonly string[]): void =>
      addKnownSecrets(paths, now(sessionId), secrets),
    /** The text with `[redacted:secret]` in the place of a secret of the session, though nothing announces it. */
    withoutSecrets: (sessionId: string, text: string): string => {
      const known = knownSecretsOf(paths, sessionId);
      if (known === null) return text;
      const standingOf = standingIn(embedder, knownIn(store, sessionId));
      const isOpen = openValueIn(standingOf, store.sessions.byId(sessionId));
      return withoutValues(text, known, { mark: secretMark, isOpen });
    },
    /** For a session that goes on from another, nobody says which. */
    inherit: (sessionId: string, nowMs: number): void => {
      inheritPrivateWords(paths, { session: sessionId, nowMs });
      inheritKnownSecrets(paths, { session: sessionId, nowMs });
    },
    /** The text with `[redacted:private]` in the place of sentences that retell it. */
    scrub: (sessionId: string, text: string): string => {
      const has = privateWordsOf(paths, sessionId);
      if (has === null) return text;
      const standingOf = standingIn(embedder, knownIn(store, sessionId));
      return withoutRetold(text, { has, standingOf });
    },
  };
}

/** The same for the archive, whose process has no embedder: the shipped one's words, read when one is asked for. */
export function archiveStanding(): (store: Store, sessionId: string) => Retold["standingOf"] {
  const loaded = loadEmbeddedModel();
  const vocabulary: Vocabulary = loaded.ok ? loaded.value : {};
  return (store, sessionId) => standingIn(vocabulary, knownIn(store, sessionId));
}

/** The same for an import, which knows what is open from the transcript alone. */
export function importRetelling() {
  const loaded = loadEmbeddedModel();
  const vocabulary: Vocabulary = loaded.ok ? loaded.value : {};
  return {
    withoutRetold: (
      text: string,
      {
        has,
        isKnown,
      }: { readonly has: Retold["has"]; readonly isKnown: (word: string) => boolean },
    ): string => withoutRetold(text, { has, standingOf: standingIn(vocabulary, isKnown) }),
    isOpenValue: openValueIn(
      standingIn(vocabulary, () => false),
      null,
    ),
  };
}
