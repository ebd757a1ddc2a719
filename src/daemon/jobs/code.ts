/**
 * The code that memories are about, as the daemon looks at it: files of a working tree, bounded and remembered by their
 * time, and git beside. Nothing of a file is kept but a hash; what may hold secrets is not read.
 */
import { readFileSync, realpathSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { boundedText, branchOf, findRepository, realPath, type Repository } from "#hooks";
import type { Anchor } from "#domain";
import { contentHash } from "#memory";
import { isSecretPath } from "#privacy";

/** A file above this is no source text. */
const fileBytesMax = 512 * 1024;
/** Read for one injection; what is beyond it counts as changed until a turn closes. */
const checkBytesMax = 1024 * 1024;
const knownMax = 2_000;
const gitMsMax = 5_000;
const outputBytesMax = 4 * 1024 * 1024;

export type CodePort = ReturnType<typeof createCodePort>;

export interface Checkout {
  readonly root: string;
  readonly branch: string | null;
  readonly commit: string | null;
}

export function createCodePort() {
  const known = new Map<string, { readonly stamp: string; readonly hash: string | null }>();
  const hashOf = (
    root: string,
    path: string,
    symbol: string | null,
    budget: { left: number },
  ): string | null | undefined => {
    const stat = statOf(root, path);
    if (stat === null) return undefined;
    const key = `${root}\0${path}\0${symbol ?? ""}`;
    const stamp = `${stat.mtimeMs} ${stat.size}`;
    const before = known.get(key);
    if (before?.stamp === stamp) return before.hash;
    budget.left -= stat.size;
    const text = budget.left < 0 ? null : readFile(root, path);
    // An unread file counts as another content.
    if (text === null) return "";
    if (known.size >= knownMax) known.clear();
    const hash = contentHash(text, symbol);
    known.set(key, { stamp, hash });
    return hash;
  };
  const checked = (root: string, anchor: Anchor, budget: { left: number }): Anchor => {
    const { path, symbol, movedTo } = anchor;
    for (const [file, state] of [
      [path, "fresh"],
      [movedTo, "moved"],
    ] as const) {
      const hash = file === null ? undefined : hashOf(root, file, symbol, budget);
      if (hash === undefined) continue;
      if (anchor.hash === "") return { ...anchor, state };
      if (hash === null) return { ...anchor, state: symbol === null ? "changed" : "gone" };
      return { ...anchor, state: hash === anchor.hash ? state : "changed" };
    }
    return { ...anchor, state: "gone" };
  };
  return {
    /** The anchors as they stand in this working tree now; reads files, bounded, and starts no process. */
    check: (root: string, anchors: readonly Anchor[]): readonly Anchor[] => {
      const budget = { left: checkBytesMax };
      return anchors.map((anchor) => checked(root, anchor, budget));
    },
    /** Top of the working tree around a folder; null outside a repository. */
    checkoutOf: (folder: string): Checkout | null => {
      const repository = findRepository(realPath(folder) ?? folder);
      if (repository === null) return null;
      const branch = branchOf(repository);
      return { root: repository.top, branch, commit: commitOf(repository) };
    },
    /** Text of a file of the working tree; null when there is none that may be read. */
    read: readFile,
    /** Slow questions: each starts git. */
    git: historyOf,
  };
}

/** `statOf` describes a regular file inside the working tree, links followed. */
function statOf(root: string, path: string): Stats | null {
  if (isSecretPath(path) || path.split("/").includes("..")) return null;
  try {
    const full = join(root, path);
    const stat = statSync(full);
    if (!stat.isFile()) return null;
    const real = realpathSync.native(full);
    return real.startsWith(`${realpathSync.native(root)}/`) ? stat : null;
  } catch {
    return null;
  }
}

function readFile(root: string, path: string): string | null {
  try {
    const stat = statOf(root, path);
    const isSource = stat !== null && stat.size <= fileBytesMax;
    return isSource ? readFileSync(join(root, path), "utf8") : null;
  } catch {
    return null;
  }
}

const isHash = (text: string): boolean => /^[0-9a-f]{40,64}$/u.test(text);

function commitOf({ gitDir, commonDir }: Repository): string | null {
  const textOf = (path: string): string => boundedText(path)?.trim() ?? "";
  const head = textOf(join(gitDir, "HEAD"));
  const ref = /^ref:\s*(refs\/[\w./-]+)$/u.exec(head)?.[1]?.replaceAll("..", "") ?? null;
  if (ref === null) return hashIn(head);
  const packed = textOf(join(commonDir, "packed-refs")).split("\n");
  return (
    hashIn(textOf(join(commonDir, ref))) ??
    hashIn(packed.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0] ?? "")
  );
}

const hashIn = (text: string): string | null => (isHash(text) ? text : null);

export type CodeHistory = ReturnType<typeof historyOf>;

/** Answers of git about one repository, each asked once. */
function historyOf(root: string) {
  const asked = new Map<string, Promise<string | null>>();
  const git = (...words: readonly string[]): Promise<string | null> => {
    const key = words.join("\0");
    const answer = asked.get(key) ?? run(root, words);
    asked.set(key, answer);
    return answer;
  };
  const refs = async (): Promise<readonly string[] | null> =>
    (await git("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes"))?.split("\n") ??
    null;
  return {
    /** Gives the present places of files that were renamed since a commit. */
    renamesSince: async (commit: string): Promise<ReadonlyMap<string, string>> => {
      // Against the index: no filter of the repository runs.
      const words = [
        "diff-index",
        "--cached",
        "-M",
        "-l400",
        "--diff-filter=R",
        "--name-status",
        "-z",
      ];
      const out = isHash(commit) ? await git(...words, commit, "--") : null;
      const fields = (out ?? "").split("\0");
      const moves = new Map<string, string>();
      for (let at = 0; at + 2 < fields.length; at += 3)
        moves.set(fields[at + 1] ?? "", fields[at + 2] ?? "");
      return moves;
    },
    /** The default branch as git can be asked for it, here and at the remote; null when there is none. */
    defaultBranch: async () => {
      const all = (await refs()) ?? [];
      const head = (await git("symbolic-ref", "-q", "refs/remotes/origin/HEAD"))?.trim() ?? "";
      const named = /^refs\/remotes\/origin\/(.+)$/u.exec(head)?.[1];
      const name = [named, "main", "master"].find(
        (one) => one !== undefined && all.some((ref) => isRefOf(ref, one)),
      );
      if (name === undefined) return null;
      const own = [`refs/heads/${name}`, `refs/remotes/origin/${name}`];
      return { name, refs: own.filter((ref) => all.includes(ref)) };
    },
    /** Text of a file at a commit or branch; null when it is not there. */
    show: (ref: string, path: string): Promise<string | null> =>
      git("cat-file", "blob", `${ref}:${path}`),
    /** Is there such a branch, here or at a remote? Null: it cannot be told. */
    hasBranch: async (name: string): Promise<boolean | null> =>
      (await refs())?.some((ref) => isRefOf(ref, name)) ?? null,
    /** The last commits of a branch that changed a file since another commit, the latest first. */
    commitsSince: async (commit: string, ref: string, path: string): Promise<readonly string[]> => {
      const out = isHash(commit)
        ? await git("log", "--no-ext-diff", "-n20", "--format=%H", `${commit}..${ref}`, "--", path)
        : null;
      return (out ?? "").split("\n").filter(isHash);
    },
  };
}

const isRefOf = (ref: string, name: string): boolean =>
  ref === `refs/heads/${name}` ||
  (ref.startsWith("refs/remotes/") && ref.split("/").slice(3).join("/") === name);

/** Runs git where it can do nothing but read; null when it fails. */
async function run(root: string, words: readonly string[]): Promise<string | null> {
  try {
    const child = Bun.spawn(["git", "--no-pager", "--literal-pathspecs", ...words], {
      cwd: root,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: process.env["HOME"] ?? "",
        GIT_OPTIONAL_LOCKS: "0",
        GIT_TERMINAL_PROMPT: "0",
        GIT_NO_LAZY_FETCH: "1",
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: gitMsMax,
      maxBuffer: outputBytesMax,
    });
    const out = await new Response(child.stdout).text();
    return (await child.exited) === 0 ? out : null;
  } catch {
    return null; // No git here.
  }
}
