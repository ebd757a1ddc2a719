/**
 * A daemon that nobody asks anything gives memory back: after some quiet seconds what was only needed to answer, and
 * after ten minutes everything that can be read again.
 */
import { msPerMinute, msPerSecond, type ClockDep } from "#kit";

/** `quiet`: the next answer must not be slower for it. `asleep`: it may take some ten milliseconds longer. */
export type Rest = "quiet" | "asleep";

export const restLimits = { quietMs: 10 * msPerSecond, asleepMs: 10 * msPerMinute } as const;

export interface RestWatchDeps extends ClockDep {
  readonly rest: (how: Rest) => void;
}

export interface RestWatch {
  /** An event, a request or work came. */
  readonly touch: () => void;
  /** Looks how long nothing came, and rests where it is time; each rest once until something comes. */
  readonly look: () => void;
}

export function createRestWatch({ clock, rest }: RestWatchDeps): RestWatch {
  let lastMs = clock.nowMs();
  let rested: Rest | null = null;
  return {
    touch: () => {
      lastMs = clock.nowMs();
      rested = null;
    },
    look: () => {
      const sinceMs = clock.nowMs() - lastMs;
      const how =
        sinceMs >= restLimits.asleepMs ? "asleep" : sinceMs >= restLimits.quietMs ? "quiet" : null;
      if (how === null || how === rested) return;
      rested = how;
      rest(how);
    },
  };
}
