/**
 * Time and zone of this machine without the runtime's own: it loads data of every zone first, which takes longer than
 * an empty program runs (measured). A zone that TZ names is left to the runtime, which knows it without files.
 */
import { readlinkSync } from "node:fs";
import { localTime, ownZone } from "#kit";

/** Link to the zone's file; its target ends with the zone's name on Linux and macOS. */
const zoneLink = "/etc/localtime";

/** Returns `2026-09-01T14:05`, on the clock of who types the command. */
export function timeHere(atMs: number): string {
  if (process.env["TZ"]) return localTime(atMs);
  clock ??= openClock();
  return clock(atMs) ?? localTime(atMs);
}

let clock: ((atMs: number) => string | null) | null = null;

/** SQLite asks the C library, which reads one zone's file. Null for years that it does not know. */
function openClock(): (atMs: number) => string | null {
  const { Database } = process.getBuiltinModule("bun:sqlite") as typeof import("bun:sqlite");
  const statement = new Database(":memory:").prepare<{ readonly at: string | null }, [number]>(
    "SELECT strftime('%Y-%m-%dT%H:%M', ?, 'unixepoch', 'localtime') AS at",
  );
  return (atMs) => statement.get(Math.floor(atMs / 1_000))?.at ?? null;
}

/** Name of the zone of who types the command. */
export function zoneHere(): string {
  if (process.env["TZ"]) return ownZone();
  try {
    return /zoneinfo\/(.+)$/.exec(readlinkSync(zoneLink))?.[1] ?? ownZone();
  } catch {
    return ownZone(); // No link there: Windows, or a machine that keeps a copy of the file.
  }
}
