/** Whether a home is part of a space: light enough for the daemon to ask at any time. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { HomePaths } from "#domain";

/** What this device keeps of its space (0600). */
export const statePath = ({ sync }: HomePaths): string => join(sync, "space.json");

export const isSynced = (paths: HomePaths): boolean => existsSync(statePath(paths));

export const teamFolder = ({ root }: HomePaths): string => join(root, "team");

/** What this home keeps of each of its teams (0600). */
export function teamFiles(paths: HomePaths): readonly string[] {
  const folder = teamFolder(paths);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
    .map((name) => join(folder, name));
}

/** Whether anything is carried to other machines. */
export const isCarried = (paths: HomePaths): boolean =>
  isSynced(paths) || teamFiles(paths).length > 0;
