/** What people make of projects: names of their own, one out of two, two out of one. */
import type { NamedProject } from "./event.ts";
import { foldedKey } from "./project-name.ts";

/** Rules for sessions to come, whose folders still say what they said before. */
export interface ProjectRules {
  /** Names that a person gave, by key. */
  readonly names: Readonly<Record<string, string>>;
  /** Keys of projects that became part of another one. */
  readonly merged: Readonly<Record<string, string>>;
  /** Folders that a project was split by; what lies in one is a project of its own. */
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
  /** When anything of it was last touched; 0 = never. */
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
  /** Everything of the first becomes the second's, and so does what comes. The second may be new. */
  readonly merge: (from: string, into: NamedProject, atMs: number) => void;
  /** Takes the last merge apart; null when none can be. What came since stays the second's. */
  readonly unmerge: () => { readonly from: string; readonly into: string } | null;
  /** Makes a folder another project from now on: one that lies where the first one lay. */
  readonly part: (from: string, folder: string, atMs: number) => void;
  /** Sessions of a folder, and what was learnt in them, become a project; returns its key. */
  readonly split: (from: string, folder: string, name: string) => string;
}

/** The key of what a project has become part of; itself where it has not. */
export function heirOf({ merged }: Pick<ProjectRules, "merged">, key: string): string {
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
  const key = heirOf(rules, found?.project ?? project.key);
  if (key === project.key && !Object.hasOwn(rules.names, key)) return project;
  return { ...project, key, name: rules.names[key] ?? project.name };
}

const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
