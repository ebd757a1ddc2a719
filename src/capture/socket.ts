/**
 * Where the daemon's socket is, and whether it is ours. A hook sends prompts through it, so it is only used when the
 * socket file belongs to this user (`getuid`): no other user can have created it in a folder of mode 0700.
 *
 * On the hook path: asks the disk through Bun.file, since loading node:fs alone costs a quarter of an empty program's
 * start (measured).
 */
import { sha256 } from "#kit";
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

/** The folder for the socket of a home whose path is too long; another home, also a copy of it, has another. */
export const socketFolderName = ({ root }: HomePaths): string => `continuity-${sha256(root, 16)}`;

/** One `stat` in the usual case; daemon.json is read only when the default path is too long. Never rejects. */
export async function findSocket(paths: HomePaths): Promise<SocketState> {
  const path = fitsSocketPath(paths.socket) ? paths.socket : await recordedSocket(paths);
  if (path === null) return { type: "absent" };
  try {
    const stat = await Bun.file(path).stat();
    const owned = process.getuid === undefined || stat.uid === process.getuid();
    return stat.isSocket() && owned ? { type: "ours", path } : { type: "foreign", path };
  } catch {
    return { type: "absent" }; // Not there, or under something that is no folder.
  }
}

/** The socket in daemon.json, unless a copied home names another home's daemon there. */
async function recordedSocket(paths: HomePaths): Promise<string | null> {
  const socket = (await recordedDaemon(paths))?.socket;
  return socket?.includes(`/${socketFolderName(paths)}`) === true ? socket : null;
}

/** What the running daemon wrote about itself, or null. Never rejects. */
export async function recordedDaemon(paths: HomePaths): Promise<DaemonRecord | null> {
  try {
    return parseRecord(await Bun.file(paths.daemonJson).text());
  } catch {
    return null; // No daemon has written one.
  }
}

/** Reads daemon.json; null when it is damaged. */
export function parseRecord(text: string): DaemonRecord | null {
  const fields = parseJson(text);
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
