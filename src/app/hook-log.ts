/** The log of a hook, in a module of its own: a hook that has nothing to say does not load it. */
import { createFileLog, systemClock, type Log } from "#kit";
import type { HomePaths } from "#domain";

export const openHookLog = ({ logs }: HomePaths): Log =>
  createFileLog({ dir: logs, level: "info", clock: systemClock });
