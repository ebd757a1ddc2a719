/** What a hook has to say for itself: one log line, and never an exception. */
import type { Log } from "#kit";
import type { HomePaths } from "#domain";

export type Note = { readonly event: string } & Readonly<Record<string, string | number>>;

/** A log that cannot be written is the last thing that may disturb a session. */
export async function note(
  deps: { readonly openLog: (paths: HomePaths) => Promise<Log> },
  paths: HomePaths,
  { event, ...fields }: Note,
): Promise<void> {
  try {
    (await deps.openLog(paths)).write("warn", event, fields);
  } catch {
    // Nowhere left to say it.
  }
}
