/** Nothing resident when nothing happens: tells when the daemon has had nothing to do for long enough. */
import type { ClockDep } from "#kit";

export interface IdleWatch {
  /** An event, a job or a request came. */
  readonly touch: () => void;
  readonly stop: () => void;
}

export interface IdleWatchDeps extends ClockDep {
  /** Null = never leave. */
  readonly idleExitMs: number | null;
  /** False while a client is connected or something runs. */
  readonly isIdle: () => boolean;
  readonly onIdle: () => void;
}

export function createIdleWatch(deps: IdleWatchDeps): IdleWatch {
  const { clock, idleExitMs } = deps;
  if (idleExitMs === null) return { touch: () => undefined, stop: () => undefined };
  let lastMs = clock.nowMs();
  const timer = setInterval(
    () => {
      if (!deps.isIdle()) lastMs = clock.nowMs();
      else if (clock.nowMs() - lastMs >= idleExitMs) deps.onIdle();
    },
    Math.max(20, Math.min(idleExitMs / 4, 30_000)),
  );
  return {
    touch: () => {
      lastMs = clock.nowMs();
    },
    stop: () => clearInterval(timer),
  };
}
