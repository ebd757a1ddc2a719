/**
 * What a project is called. Names come from folders, remotes and other people's files, and stand in lines that a model
 * reads: so a name is one word, short, and never a sentence. Letters of every script are letters.
 */
import { sha256 } from "#kit";

/** Most are written in these: to build the other expression takes a hook 0.2 ms. */
const plainName = /^[A-Za-z0-9_.@-]{1,60}$/;
const name = /^[\p{L}\p{M}\p{N}_.@-]{1,60}$/u;
/** A folder may be called "My Shop"; what has more words than this is a text. */
const wordsMax = 3;
const keyCharsMax = 200;

/** The last part of a path or address, of any system, as a name; what fits no name is called by its key's hash. */
export function projectNameOf(path: string, key: string): string {
  const isWindows = /^(?:[A-Za-z]:[\\/]|\\\\)/u.test(path);
  const last = path
    .slice(-1_000)
    .split(isWindows ? /[\\/]+/u : /\/+/u)
    .findLast((part) => part !== "");
  const words = (last ?? "").normalize("NFC").trim().split(/\s+/u);
  const wanted = words.length <= wordsMax ? words.join("-") : "";
  return plainName.test(wanted) || name.test(wanted) ? wanted : `project-${sha256(key, 8)}`;
}

/** A project's key as it is stored: one that is too long, or no address, stands as its hash. */
export const boundedKey = (key: string): string =>
  key.length <= keyCharsMax && !/[\s\p{C}]/u.test(key) ? key : `remote:${sha256(key)}`;

/** Servers of these, also of companies ("gitlab.acme.test"), know no case in the names of repositories. */
const foldsCase =
  /^(?:[^/]+\.)?(?:github|gitlab|bitbucket|codeberg|gitea|forgejo|azure|visualstudio)\.[^/]*\//;

/** One key for all spellings of a remote: `github.com/Acme/Repo` is `github.com/acme/repo`. */
export const foldedKey = (key: string): string => (foldsCase.test(key) ? key.toLowerCase() : key);
