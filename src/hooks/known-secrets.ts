/**
 * Secrets of a session, known by value. The gate finds "the password is X" by the words around X; repeated bare in an
 * answer, a command or a later prompt, X is known by itself alone. Kept as salted hashes with the length of each value,
 * in a file for each session beside its private words, so that a hook, a restart and a fork know it as well.
 */
import { type HomePaths, secretMark, type SpoolGate } from "#domain";
import {
  foldedValue,
  isOneWord,
  type KnownValues,
  lengthsOf,
  sha256,
  shapeOf,
  withoutValues,
} from "#kit";
import { addHashes, hashesIn, inheritHashes } from "./dated-hashes.ts";
import {
  type InSession,
  privateFolder,
  saltOf,
  secretsMax,
  secretsSuffix,
} from "./private-turn.ts";

/**
 * Characters of a hash: 24 bits, so that who reads one does not learn by it that a guess is right, and no more than one
 * word of a text in some million is hidden for nothing.
 */
const hashChars = 6;
const secretHash = (salt: string, folded: string): string =>
  sha256(`${salt}:secret:${folded}`, hashChars);

const fileOf = (paths: HomePaths, session: string): string =>
  `${privateFolder(paths)}/${sha256(session)}${secretsSuffix}`;

/** Adds what the gate took for secrets. Throws when the folder cannot be written. */
export function addKnownSecrets(
  paths: HomePaths,
  { session, nowMs }: InSession,
  secrets: readonly string[],
): void {
  const folded = secrets.flatMap((secret) => foldedValue(secret) ?? []);
  if (folded.length === 0) return;
  const salt = saltOf(paths);
  const hashes = folded.map((value) => `${shapeOf(value)}:${secretHash(salt, value)}`);
  addHashes(fileOf(paths, session), hashes, nowMs);
}

/** Gives a session that goes on from another, nobody says which, the secrets of all sessions of late. */
export const inheritKnownSecrets = (paths: HomePaths, { session, nowMs }: InSession): void =>
  inheritHashes(fileOf(paths, session), { suffix: secretsSuffix, max: secretsMax, nowMs });

/** The secrets of a session; null = none is known. */
export function knownSecretsOf(paths: HomePaths, session: string): KnownValues | null {
  const hashes = new Set([...hashesIn(fileOf(paths, session)).keys()].slice(-secretsMax));
  if (hashes.size === 0) return null;
  const salt = saltOf(paths);
  return {
    ...lengthsOf([...hashes].map((hash) => hash.split(":", 1)[0] ?? "")),
    has: (value) => hashes.has(`${shapeOf(value)}:${secretHash(salt, value)}`),
  };
}

/**
 * The gate of a hook that spools, with the secrets of the session: what it finds is added to them. A value that is one
 * word stays until the daemon asks a vocabulary about it.
 */
export function gateOfSession(gate: SpoolGate, paths: HomePaths, at: InSession): SpoolGate {
  const { session } = at;
  let known = knownSecretsOf(paths, session);
  return {
    ...gate,
    clean: (text) => {
      const clean = gate.clean(text);
      // The gate takes out of the whole text what it finds by itself.
      const before = known;
      if (clean.secrets.length > 0) {
        addKnownSecrets(paths, at, clean.secrets);
        known = knownSecretsOf(paths, session);
      }
      return before === null
        ? clean
        : {
            ...clean,
            text: withoutValues(clean.text, before, { mark: secretMark, isOpen: isOneWord }),
          };
    },
  };
}
