/** Keeps people's decisions about projects: names of their own, one out of two. */
import type { NamedProject } from "./event.ts";
import { isWithin } from "./home.ts";
import { sha256 } from "#kit";

/** Rules for sessions to come, whose folders still say what they said before. */
export interface ProjectRules {
  /** Names that a person gave, by key. */
  readonly names: Readonly<Record<string, string>>;
  /** Keys of projects that became part of another one. */
  readonly merged: Readonly<Record<string, string>>;
  /** Keys among them that a person joined: what lies in their folder later belongs to the other one too. */
  readonly joined?: readonly string[];
  /** Folders that were parted from a project; what lies in one is a project of its own. */
  readonly folders: readonly {
    readonly key: string;
    readonly folder: string;
    readonly project: string;
  }[];
}

export interface ProjectFacts extends NamedProject {
  /** Active ones. */
  readonly memories: number;
  readonly sessions: number;
  /** The time at which anything of it was last touched; 0 = never. */
  readonly lastMs: number;
}

export interface ProjectStore {
  readonly rules: () => ProjectRules;
  readonly facts: () => readonly ProjectFacts[];
  /** Folders that its sessions ran in, the latest first. */
  readonly folders: (
    key: string,
  ) => readonly { readonly folder: string; readonly sessions: number }[];
  readonly rename: (key: string, name: string) => void;
  /** Names a project that no session told of yet. */
  readonly meet: (project: NamedProject, atMs: number) => void;
  /**
   * Everything of the first becomes the second's, and so does what comes. The second may be new. `isJoined`: a person
   * wished it of a project whose folder is there.
   */
  readonly merge: (from: string, into: NamedProject, atMs: number, isJoined?: boolean) => void;
  /** Takes the last merge apart; null when none can be. What came since stays the second's. */
  readonly unmerge: () => { readonly from: string; readonly into: string } | null;
  /** Makes a folder another project from now on: one that lies where the first one lay. */
  readonly part: (from: string, folder: string, atMs: number) => void;
}

/** The key of what a project has become part of; itself where it has not. */
export function heirOf(merged: ProjectRules["merged"], key: string): string {
  const own = foldedKey(key);
  const heir = Object.entries(merged).find(([from]) => foldedKey(from) === own);
  return foldedKey(heir?.[1] ?? own);
}

/** The project that a session in this folder belongs to, by what its folder says and what a person decided. */
export function ownProject<Project extends NamedProject>(
  rules: ProjectRules,
  project: Project,
  folder: string | null,
): Project {
  const found = rules.folders.findLast(
    (rule) =>
      foldedKey(rule.key) === foldedKey(project.key) &&
      folder !== null &&
      isWithin(rule.folder, folder),
  );
  const key = heirOf(rules.merged, found?.project ?? project.key);
  if (key === project.key && !Object.hasOwn(rules.names, key)) return project;
  return { ...project, key, name: rules.names[key] ?? project.name };
}

// Names of projects. They come from folders, remotes and other people's files, and stand in lines that a model
// reads: so a name is one word, short, and never a sentence. Letters of every script are letters.

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

// Labels that tell projects of one name apart, in words that name the right one when they are typed.

const hashCharsShown = 8;

/**
 * By key, of those that share their name with another: the end of a remote's key that tells it apart (`acme/shop`), or
 * the name with the beginning of the key's hash (`shop:681f0ac9`).
 */
export function projectLabels(projects: readonly NamedProject[]): ReadonlyMap<string, string> {
  const byName = Map.groupBy(projects, ({ name }) => name.toLowerCase());
  return new Map(
    [...byName.values()]
      .filter((same) => same.length > 1)
      .flatMap((same) => same.map((one) => [one.key, labelAmong(one, same)] as const)),
  );
}

function labelAmong({ key, name }: NamedProject, same: readonly NamedProject[]): string {
  if (key.includes(":")) return `${name}:${hashOf(key).slice(0, hashCharsShown)}`;
  const parts = key.split("/");
  const ends = parts.slice(1).map((_, at) => parts.slice(-(at + 2)).join("/"));
  return ends.find((end) => same.filter((other) => isEndOf(end, other.key)).length === 1) ?? key;
}

/** Keys of the projects that such a label means, in any case. */
export const labelled = (projects: readonly NamedProject[], label: string): readonly string[] =>
  projects.filter((one) => isLabelOf(label, one)).map(({ key }) => key);

function isLabelOf(label: string, { key, name }: NamedProject): boolean {
  const colon = label.lastIndexOf(":");
  if (colon < 0) return label.includes("/") && isEndOf(label, key);
  const isNamed = label.slice(0, colon).toLowerCase() === name.toLowerCase();
  const hash = label.slice(colon + 1);
  return isNamed && hash.length >= hashCharsShown && hashOf(key).startsWith(hash);
}

const isEndOf = (end: string, key: string): boolean =>
  `/${key}`.toLowerCase().endsWith(`/${end.toLowerCase()}`);

/** Behind `dir:` or `remote:`; empty for an address. */
const hashOf = (key: string): string => (key.includes(":") ? key.slice(key.indexOf(":") + 1) : "");
