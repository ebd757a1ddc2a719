/** Questions to the daemon from a process that carries memories to other machines. */
import type { CliError } from "#cli";
import type { DaemonClient } from "#daemon";
import type { Result } from "#kit";
import { SyncError } from "./sync-lock.ts";

export type Start = () => Promise<Result<DaemonClient, CliError>>;

export async function askOver(
  start: Start,
  path: "/api/sync" | "/api/team",
): Promise<(body: object) => Promise<unknown>> {
  const client = await start();
  if (!client.ok) throw new SyncError(client.error.type, client.error.message, client.error.next);
  return async (body) => {
    const response = await client.value.fetch(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    if (response.ok) return response.json();
    throw new SyncError(
      "sync.failed",
      `the daemon answered with status ${response.status}`,
      "see `continuity status --log`",
    );
  };
}
