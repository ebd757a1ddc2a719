/** Git metadata read from files: no git process is started, no hook or include of a repository takes effect. */
import { dirname, join, resolve } from "node:path";
import { boundedText, kindOf, realPath } from "./files.ts";

export interface Repository {
  readonly top: string;
  /** The folder that holds this working tree's HEAD. */
  readonly gitDir: string;
  /** The folder that all working trees of the repository share; has the config. */
  readonly commonDir: string;
}

const levelsMax = 64;

/** The repository around a folder, or null. Worktrees and submodules have a `.git` file instead of a folder. */
export function findRepository(folder: string): Repository | null {
  let top = folder;
  for (let level = 0; level < levelsMax; level += 1) {
    const found = repositoryAt(top);
    if (found !== null) return found;
    const parent = dirname(top);
    if (parent === top) return null;
    top = parent;
  }
  return null;
}

function repositoryAt(top: string): Repository | null {
  const dotGit = join(top, ".git");
  const kind = kindOf(dotGit);
  if (kind === null) return null;
  if (kind === "dir") return kindOf(join(dotGit, "HEAD")) === null ? null : own(top, dotGit);
  const pointer = /^gitdir:\s*(.+?)\s*$/m.exec(boundedText(dotGit) ?? "")?.[1];
  if (pointer === undefined) return null;
  const gitDir = resolve(top, pointer);
  const common = boundedText(join(gitDir, "commondir"))?.trim();
  const commonDir = common === undefined || common === "" ? gitDir : resolve(gitDir, common);
  return { top, gitDir, commonDir: realPath(commonDir) ?? commonDir };
}

const own = (top: string, gitDir: string): Repository => ({ top, gitDir, commonDir: gitDir });

/** The folder that stands for the whole repository: the main working tree, whichever worktree one is in. */
export function mainFolder(repository: Repository): string {
  const { commonDir, gitDir, top } = repository;
  if (commonDir === gitDir) return top;
  return commonDir.endsWith("/.git") || commonDir.endsWith("\\.git")
    ? dirname(commonDir)
    : commonDir;
}

/** The branch name; null when HEAD is detached. */
export function branchOf(repository: Repository): string | null {
  const head = boundedText(join(repository.gitDir, "HEAD")) ?? "";
  return /^ref:\s*refs\/heads\/(.+?)\s*$/m.exec(head)?.[1] ?? null;
}

/** The URL of `origin`, else of the first remote; null without a remote. Includes are not followed. */
export function remoteOf(repository: Repository): string | null {
  const urls = remoteUrls(boundedText(join(repository.commonDir, "config")) ?? "");
  return urls.get("origin") ?? urls.values().next().value ?? null;
}

/** The first URL of each remote, in the order of the config. */
function remoteUrls(config: string): ReadonlyMap<string, string> {
  const urls = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split("\n")) {
    const section = /^\s*\[(.+?)\]/.exec(line)?.[1];
    if (section !== undefined) remote = /^remote\s+"(.+)"$/i.exec(section)?.[1];
    const url = /^\s*url\s*=\s*"?([^"\n]+?)"?\s*$/i.exec(line)?.[1];
    if (remote === undefined || url === undefined) continue;
    if (!urls.has(remote)) urls.set(remote, url);
  }
  return urls;
}

/** Names in lower case with what they stand for, in the order of the config. Includes are not followed. */
export function aliasesOf(config: string): readonly (readonly [name: string, text: string])[] {
  let isIn = false;
  return config.split("\n").flatMap((line) => {
    const section = /^\s*\[(.+?)\]/.exec(line)?.[1];
    if (section !== undefined) isIn = /^alias$/i.test(section);
    const [, name, text = ""] = /^\s*([a-z][\w-]*)\s*=\s*(.*?)\s*$/i.exec(line) ?? [];
    if (!isIn || name === undefined) return [];
    const plain = /^"(.*)"$/.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, "$1") ?? text;
    return [[name.toLowerCase(), plain] as const];
  });
}

/**
 * One name for a remote however it is written: `host/path`, host in lower case, without credentials, scheme, `.git`.
 * Paths of this machine become `file/…`. Null when nothing is left.
 */
export function normalisedRemote(url: string, base: string): string | null {
  const scp = /^(?:[^@/\s]+@)?([^:/\s]{2,}):(?!\/\/)(.+)$/.exec(url);
  const full = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/]*@)?([^/]*)(.*)$/i.exec(url);
  if (full !== null && full[1]?.toLowerCase() !== "file")
    return joined(hostOf(full[2] ?? "", full[1] ?? ""), full[3] ?? "");
  if (full !== null) return joined("file", full[3] ?? "");
  if (scp !== null) return joined((scp[1] ?? "").toLowerCase(), scp[2] ?? "");
  return joined("file", resolve(base, url.replace(/^[^/]*@/, "")));
}

/** Ports of ssh name a door, not another host's repository; a web port other than the usual is kept. */
function hostOf(authority: string, scheme: string): string {
  const host = authority.toLowerCase();
  const isWeb = /^https?$/i.test(scheme);
  return isWeb ? host.replace(/:(?:80|443)$/, "") : host.replace(/:\d+$/, "");
}

function joined(host: string, path: string): string | null {
  const clean = path
    .replace(/[?#].*$/, "")
    .replace(/^\/+|\/+$/g, "")
    // `user:password@host/path` without a scheme is no remote, but what stands before the @ may be a credential.
    .replace(/^[^/]*@/, "")
    .replace(/(?:\.git)?\/*$/i, "");
  return host === "" || clean === "" ? null : `${host}/${clean}`;
}
