/**
 * Where a project was seen on this machine, and whether a folder that says it is that project is believed
 * (docs/adr/0039). A remote is a claim that any archive can make; a shared history is not. Pure.
 */
import type { ProjectIdentity } from "./event.ts";

export interface Place {
  /** Top folder of a working tree, without symlinks. */
  readonly root: string;
  readonly isTrusted: boolean;
}

export interface PlaceStore {
  /**
   * Places of a project, the latest first. Where none is trusted, folders of its sessions (an import's) count as such,
   * but those of `root` itself.
   */
  readonly of: (project: string, root: string) => readonly Place[];
  /** Project that was last seen in this folder; null when none was. */
  readonly in: (root: string) => string | null;
  /** True when the project was seen in this folder. */
  readonly at: (project: string, root: string) => boolean;
  /** Other projects without a remote that have one of these commits or folder marks, at most eight. */
  readonly sharing: (project: string, ids: readonly string[]) => readonly string[];
  readonly put: (project: string, place: Place, atMs: number) => void;
  /** Commits that trusted places had, the oldest and the latest ones. Marks of folders are not among them. */
  readonly commits: (project: string) => readonly string[];
  /** Adds commits, and marks of folders (`folder:…`). */
  readonly addCommits: (project: string, ids: readonly string[], atMs: number) => void;
}

/** What a working tree's git metadata says, read without git. */
export interface History {
  /** Top folder of the main working tree, when this is one of its worktrees and it says so itself; else its own. */
  readonly mainRoot: string;
  /** Commits that it names as its own: tips, and where its log began. */
  readonly commits: readonly string[];
  /** Whether one of these commits is there. */
  readonly hasAny: (ids: readonly string[]) => boolean;
}

export interface PlaceDeps {
  readonly places: Pick<PlaceStore, "of" | "commits">;
  /** Null without a repository of its own. */
  readonly historyAt: (folder: string) => History | null;
}

/** Known places whose objects are looked into. */
const lookedIntoMax = 4;

/** Whether this folder may be given what is known of its project. */
export function isTrustedPlace(
  { places, historyAt }: PlaceDeps,
  { key, root }: Pick<ProjectIdentity, "key" | "root">,
): boolean {
  // The folder itself is the key.
  if (key.startsWith("dir:")) return true;
  const known = places.of(key, root);
  const trusted = known.filter(({ isTrusted }) => isTrusted);
  if (trusted.length === 0 || trusted.some((place) => isWithin(place.root, root))) return true;
  const history = historyAt(root);
  if (history === null) return false;
  return (
    trusted.some((place) => isWithin(place.root, history.mainRoot)) ||
    history.hasAny(places.commits(key)) ||
    trusted.slice(0, lookedIntoMax).some((place) => {
      const theirs = historyAt(place.root);
      return theirs !== null && (theirs.hasAny(history.commits) || history.hasAny(theirs.commits));
    })
  );
}

/** At the root or below it: a session of an older version may have noted a folder in the middle. */
const isWithin = (folder: string, root: string): boolean =>
  folder === root || folder.startsWith(`${root}/`) || folder.startsWith(`${root}\\`);
