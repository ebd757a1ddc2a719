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
import {
  addInherited,
  addLines,
  linesIn,
  privateFolder,
  recentLines,
  saltOf,
  secretsSuffix,
} from "./private-turn.ts";

/** Values of one session: the latest. */
const secretsMax = 500;

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
  session: string,
  secrets: readonly string[],
): void {
  const folded = secrets.flatMap((secret) => foldedValue(secret) ?? []);
  if (folded.length === 0) return;
  const salt = saltOf(paths);
  const lines = folded.map((value) => `${shapeOf(value)}:${secretHash(salt, value)}`);
  addLines(fileOf(paths, session), lines, secretsMax);
}

/** Gives a session that goes on from another, nobody says which, the secrets of all sessions of late. */
export function inheritKnownSecrets(paths: HomePaths, session: string, nowMs: number): void {
  const lines = recentLines(paths, secretsSuffix, nowMs);
  if (lines.length > 0) addInherited(fileOf(paths, session), lines, secretsMax);
}

/** The secrets of a session; null = none is known. */
export function knownSecretsOf(paths: HomePaths, session: string): KnownValues | null {
  const lines = linesIn(fileOf(paths, session));
  if (lines.length === 0) return null;
  const salt = saltOf(paths);
  const all = new Set(lines);
  return {
    ...lengthsOf(lines.map((line) => line.split(":", 1)[0] ?? "")),
    has: (value) => all.has(`${shapeOf(value)}:${secretHash(salt, value)}`),
  };
}

/**
 * The gate of a hook that spools, with the secrets of the session: what it finds is added to them. A value that is one
 * word stays until the daemon asks a vocabulary about it.
 */
export function gateOfSession(gate: SpoolGate, paths: HomePaths, session: string): SpoolGate {
  let known = knownSecretsOf(paths, session);
  return {
    ...gate,
    clean: (text) => {
      const clean = gate.clean(text);
      if (clean.secrets.length > 0) {
        addKnownSecrets(paths, session, clean.secrets);
        known = knownSecretsOf(paths, session);
      }
      return known === null
        ? clean
        : {
            ...clean,
            text: withoutValues(clean.text, known, { mark: secretMark, isOpen: isOneWord }),
          };
    },
  };
}
