/**
 * Where the daemon's socket is, and whether it is ours. A hook sends prompts through it, so it is only used when the
 * socket file belongs to this user (`getuid`): nobody else can have created it in a folder of mode 0700.
 */
import { lstatSync, readFileSync, type Stats } from "node:fs";
import type { DaemonRecord, HomePaths } from "#domain";
import { isRecord, parseJson, textField } from "./json.ts";
import { captureLimits } from "./limits.ts";

export type SocketState =
  | { readonly type: "ours"; readonly path: string }
  | { readonly type: "absent" }
  | { readonly type: "foreign"; readonly path: string };

/** True when the default path is short enough for a socket on every system. */
export const fitsSocketPath = (path: string): boolean =>
  Buffer.byteLength(path) <= captureLimits.socketPathBytesMax;

/** One `lstat` in the usual case; daemon.json is read only when the default path is too long. */
export function findSocket(paths: HomePaths): SocketState {
  const path = fitsSocketPath(paths.socket)
    ? paths.socket
    : (readDaemonRecord(paths)?.socket ?? null);
  if (path === null) return { type: "absent" };
  const stat = statLink(path);
  if (stat === null) return { type: "absent" };
  const owned = process.getuid === undefined || stat.uid === process.getuid();
  return stat.isSocket() && owned ? { type: "ours", path } : { type: "foreign", path };
}

function statLink(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null; // Not there, or under something that is no folder.
  }
}

/** What the daemon wrote about itself, or null when there is no such file or it is damaged. */
export function readDaemonRecord(paths: HomePaths): DaemonRecord | null {
  const fields = parseJson(readText(paths.daemonJson) ?? "");
  if (!isRecord(fields)) return null;
  const { pid, port } = fields;
  const version = textField(fields, "version");
  const socket = textField(fields, "socket");
  if (typeof pid !== "number" || version === null || socket === null) return null;
  return {
    pid,
    startedAt: textField(fields, "startedAt") ?? "",
    version,
    port: typeof port === "number" ? port : null,
    socket,
  };
}

/** A small file's text, or null when it cannot be read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // Absent or unreadable: for every caller the same as not being there.
  }
}
