/** What a sync of a space or a team says of itself: its sums, or one line of what ended it. */
import type { CliError, SyncDone } from "#cli";
import { err, ok, type Result } from "#kit";
import type { AppDeps } from "../context.ts";
import { SyncError } from "./sync-lock.ts";

type Run = typeof import("#sync/run");

export type SyncSum = Pick<SyncDone, "problems" | "received" | "sent">;

export async function guarded<Value>(
  deps: AppDeps,
  work: (run: Run) => Promise<Value>,
): Promise<Result<Value, CliError>> {
  const run = await import("#sync/run");
  try {
    return ok(await work(run));
  } catch (error) {
    if (error instanceof SyncError) return err(error.cliError);
    if (error instanceof run.CarrierFailure || error instanceof run.SpaceFailure)
      return err({ type: "sync.failed", message: error.message, next: error.next });
    const message = error instanceof Error ? error.message : "unknown";
    deps.log.write("error", "sync.failed", { reason: message.slice(0, 300) });
    return err({
      type: "sync.failed",
      message: `the sync failed: ${message}`,
      next: "nothing is lost; see `continuity status --log`, and try again",
    });
  }
}
