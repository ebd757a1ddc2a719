/** The way to what a team gives and takes, which is loaded by the first who has to do with one. */
import type { HookEnvelope, PrivacyGate, ProjectIdentity, Store } from "#domain";
import type { ClockDep, LogDep } from "#kit";
import type { Service } from "#service";
import type { TeamDeps } from "#team";
import type { Worker } from "#worker";

export interface TeamRoute {
  /** Null for a question that makes no sense. */
  readonly answer: (ask: unknown) => Promise<object | null>;
  /** Sessions start: what is trusted of their repositories is brought in step. Null = nothing is trusted anywhere. */
  readonly starting: (envelopes: readonly HookEnvelope[]) => Promise<void> | null;
}

interface Parts {
  readonly store: Store;
  readonly gate: PrivacyGate;
  readonly worker: Worker;
  readonly service: Service;
  readonly projectOf: (cwd: string) => ProjectIdentity | null;
}

export function teamRoute({ clock, log }: ClockDep & LogDep, parts: Parts): TeamRoute {
  const { store, gate, worker, service, projectOf } = parts;
  const deps: TeamDeps = {
    store,
    gate,
    clock,
    projectOf,
    looked: new Map(),
    index: worker.index,
    forget: (uris) => void service.forget(uris, clock.nowMs()),
  };
  const refreshed = async (folders: readonly string[]): Promise<void> => {
    const { refreshFolder } = await import("#team");
    for (const folder of folders) refreshFolder(deps, folder);
  };
  return {
    answer: async (ask) => (await import("#team")).answerTeam(deps, ask),
    starting: (envelopes) => {
      const folders = envelopes.flatMap(({ hook, payload: { cwd } }) =>
        hook === "start" && typeof cwd === "string" ? [cwd] : [],
      );
      if (folders.length === 0 || store.team.trusting().length === 0) return null;
      return refreshed(folders).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : "unknown";
        log.write("warn", "team.failed", { reason: reason.slice(0, 300) });
      });
    },
  };
}
