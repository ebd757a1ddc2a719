/** The pause switch, kept in the database so that the daemon and a hook that reads it directly agree. */
import type { StoreDep } from "#domain";
import type { PauseDep } from "./deps.ts";

/** Name of the fact in the store's meta table. Value: epoch milliseconds, or `forever`. */
const metaName = "pause";

/** Pause over the store's meta table. A pause whose end lies in the past counts as none. */
export const createPause = ({ store }: StoreDep): PauseDep["pause"] => ({
  state: (nowMs) => {
    const value = store.admin.getMeta(metaName);
    if (value === null) return { paused: false, until: null };
    if (value === "forever") return { paused: true, until: null };
    const until = Number(value);
    return until > nowMs ? { paused: true, until } : { paused: false, until: null };
  },
  pause: (untilMs) => store.admin.setMeta(metaName, untilMs === null ? "forever" : `${untilMs}`),
  resume: () => store.admin.setMeta(metaName, null),
});
