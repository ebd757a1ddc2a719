/**
 * The one way by which events reach the database, whether they came by socket, by TCP or from the spool: the guard of
 * private turns, then the application's steps, then its commit. The order of events is the intake's business.
 */
import type { HookReply } from "#domain";
import type { Accept, AcceptStep, DaemonApp } from "./app.ts";
import type { PrivateTurns } from "./private-turns.ts";

export interface AcceptDeps {
  readonly app: Pick<DaemonApp, "commit" | "steps">;
  readonly turns: PrivateTurns;
  /** Called after each commit. */
  readonly onAccepted: () => void;
}

export function createAccept({ app, turns, onAccepted }: AcceptDeps): Accept {
  const steps: readonly AcceptStep[] = [
    ...app.steps,
    {
      after: (_, replies) => {
        onAccepted();
        return replies;
      },
    },
  ];
  return async (envelopes, via) => {
    const guarded = envelopes.map((envelope) => turns.guard(envelope, via));
    const kept = guarded.filter((envelope) => envelope !== null);
    try {
      const replies = await committed(app, steps, kept, via);
      let at = 0;
      return guarded.map((envelope) => (envelope === null ? leftOut : (replies[at++] ?? leftOut)));
    } catch (error) {
      for (const { failed } of steps) failed?.(error);
      throw error;
    }
  };
}

/** Answers an event of a turn that leaves no record. */
const leftOut: HookReply = { context: "", fresh: true };

async function committed(
  app: Pick<DaemonApp, "commit">,
  steps: readonly AcceptStep[],
  ...[envelopes, via]: Parameters<Accept>
): Promise<readonly HookReply[]> {
  for (const { before } of steps) await before?.(envelopes, via);
  const replies = await app.commit(envelopes, via);
  return steps.reduce((sofar, { after }) => after?.(envelopes, sofar) ?? sofar, replies);
}
