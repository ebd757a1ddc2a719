/** Whether a home is part of a space: light enough for the daemon to ask at any time. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HomePaths } from "#domain";

/** What this device keeps of its space (0600). */
export const statePath = ({ sync }: HomePaths): string => join(sync, "space.json");

export const isSynced = (paths: HomePaths): boolean => existsSync(statePath(paths));
