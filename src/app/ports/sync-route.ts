/** The way to the log of this store, which is loaded by the first who syncs. */
import type { Store } from "#domain";
import type { ClockDep } from "#kit";
import type { Service } from "#service";
import type { Worker } from "#worker";

type Answering = (ask: unknown) => object | null;

/** Answers the process that carries segments; null for a question that makes no sense. */
export function syncRoute(
  { clock }: ClockDep,
  store: Store,
  { worker, service }: { readonly worker: Worker; readonly service: Service },
): (ask: unknown) => Promise<object | null> {
  let log: Promise<Answering> | null = null;
  return async (ask) => {
    log ??= import("#sync").then(({ answerPeer, peerAsk }) => {
      const forget = (uris: readonly string[]): void => void service.forget(uris, clock.nowMs());
      const deps = { store, clock, index: worker.index, forget };
      return (given: unknown) => {
        const parsed = peerAsk.safeParse(given);
        return parsed.success ? answerPeer(deps, parsed.data) : null;
      };
    });
    return (await log)(ask);
  };
}
