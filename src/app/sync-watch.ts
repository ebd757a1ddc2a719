/** Whether another machine wrote: told by the carrier where it can, for as long as this home is part of a space. */
import { readFileSync } from "node:fs";
import type { HomePaths } from "#domain";
import type { LogDep } from "#kit";
import { statePath } from "./ports/sync-home.ts";

type Stop = () => Promise<void>;

export interface SyncWatch {
  /** Begins, begins anew where the space is another one, or ends. */
  readonly check: () => void;
  readonly stop: () => void;
}

export function createSyncWatch(
  { paths, log }: LogDep & { readonly paths: HomePaths },
  onNews: () => void,
): SyncWatch {
  let watched = "";
  let stopping: Promise<Stop | null> = Promise.resolve(null);
  const begin = async (text: string): Promise<Stop | null> => {
    try {
      const { watchSpace } = await import("#sync/watch");
      return await watchSpace(JSON.parse(text) as Parameters<typeof watchSpace>[0], onNews);
    } catch (error) {
      // It is tried again after the next sync.
      if (watched === text) watched = "";
      const reason = error instanceof Error ? error.message : "unknown";
      log.write("debug", "sync.watch", { reason: reason.slice(0, 300) });
      return null;
    }
  };
  const turn = (text: string): void => {
    if (text === watched) return;
    watched = text;
    const before = stopping;
    stopping = (async () => {
      await (
        await before
      )?.();
      return text === "" ? null : begin(text);
    })();
  };
  return { check: () => turn(placeIn(paths)), stop: () => turn("") };
}

/** Of the space that carries the memory, what the carrier needs; empty without one. */
function placeIn(paths: HomePaths): string {
  try {
    const { url, access, device } = JSON.parse(readFileSync(statePath(paths), "utf8")) as Readonly<
      Record<string, unknown>
    >;
    return JSON.stringify({ url, access, device });
  } catch {
    return "";
  }
}
