/** Runs asynchronous work one after the other, so that no two commits overlap. */
export interface Serial {
  /** Resolves or rejects as `work` does; a failure does not stop what waits behind it. */
  readonly run: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Resolves when everything that was asked for so far is over. */
  readonly settled: () => Promise<void>;
}

export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (work) => {
      const mine = last.then(work, work);
      last = mine.catch(() => undefined);
      return mine;
    },
    settled: async () => {
      await last;
    },
  };
}
