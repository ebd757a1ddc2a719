/** So many at a time, the others in line, first come first served. */

export interface Slots {
  /** Runs the work as soon as there is a slot. */
  readonly run: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** How many run now. */
  readonly running: () => number;
  /** Resolves when none runs and none waits. */
  readonly idle: () => Promise<void>;
}

/** `limit` is asked each time, so that a changed setting takes effect with the next piece of work. */
export function createSlots(limit: () => number): Slots {
  const waiting: (() => void)[] = [];
  const idlers: (() => void)[] = [];
  let running = 0;

  const admit = (): void => {
    while (running < Math.max(1, limit()) && waiting.length > 0) {
      running += 1;
      waiting.shift()?.();
    }
    if (running === 0) idlers.splice(0).forEach((resolve) => resolve());
  };

  return {
    run: async (work) => {
      const turn = Promise.withResolvers<void>();
      waiting.push(turn.resolve);
      admit();
      await turn.promise;
      try {
        return await work();
      } finally {
        running -= 1;
        admit();
      }
    },
    running: () => running,
    idle: async () => {
      const turn = Promise.withResolvers<void>();
      idlers.push(turn.resolve);
      admit();
      await turn.promise;
    },
  };
}
