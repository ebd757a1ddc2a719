/**
 * Finds the daemon's socket, and tells whether it is ours. A hook sends prompts through it, so it is only used when the
 * socket file belongs to this user (`getuid`): no other user can have created it in a folder of mode 0700.
 *
 * On the hook path: asks the disk through Bun.file, since loading node:fs alone costs a quarter of an empty program's
 * start (measured).
 */
import { sha256, isRecord, parseJson, textField } from "#kit";
import {
  confirmPath,
  type DaemonRecord,
  type HomePaths,
  type HookEnvelope,
  type HookName,
  type HookReply,
  loopbackHost,
} from "#domain";
import { captureLimits } from "./limits.ts";

export type SocketState =
  | { readonly type: "ours"; readonly path: string }
  | { readonly type: "absent" }
  | { readonly type: "foreign"; readonly path: string };

/** True when the default path is short enough for a socket on every system. */
export const fitsSocketPath = (path: string): boolean =>
  new TextEncoder().encode(path).length <= captureLimits.socketPathBytesMax;

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

/** `recordedDaemon` reads the running daemon's description of itself, or null. Never rejects. */
async function recordedDaemon(paths: HomePaths): Promise<DaemonRecord | null> {
  try {
    return parseRecord(await Bun.file(paths.daemonJson).text());
  } catch {
    return null; // No daemon has written one.
  }
}

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

// Hands envelopes to the running daemon, with a hard deadline. The daemon answers after its commit, so an answer
// means that the event is on disk; anything else means that the caller must spool.

export type HandOver =
  | {
      readonly type: "answered";
      readonly replies: readonly HookReply[];
      /** The daemon's version, to notice an older one. */
      readonly version: string;
      /** Tells the daemon that the client has what was answered. Never rejects. */
      readonly confirm: () => Promise<void>;
    }
  /** No daemon listens: one may be started. */
  | { readonly type: "away" }
  /** Hung, overloaded or talking nonsense: a daemon is there, starting another would not help. */
  | { readonly type: "unusable"; readonly why: "slow" | "foreign" | "refused" | "unreadable" };

/** Time that a confirmation may take beyond the deadline: an answer that came late is confirmed too. */
const confirmMs = 50;

/** Header in which the daemon names its version. */
export const versionHeader = "x-continuity-version";

/** Events as they are sent to the daemon. */
export interface Letter {
  readonly hook: HookName;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Keys of the events; null = the daemon makes them. */
  readonly keys: readonly string[] | null;
}

/** The letter that brings envelopes: at least one. */
export function letterOf(envelopes: readonly HookEnvelope[]): Letter {
  const keys: string[] = [];
  for (const { key } of envelopes) keys.push(key);
  const body = JSON.stringify(envelopes.length === 1 ? envelopes[0] : envelopes);
  return { hook: envelopes[0]?.hook ?? "tool", body, headers: {}, keys };
}

interface HandOverRequest {
  readonly paths: HomePaths;
  readonly letter: Letter;
  readonly deadlineMs: number;
  /** The result of `findSocket`; Windows has none and does not look at it. */
  readonly socket: SocketState;
}

/** Never rejects; takes at most `deadlineMs`. */
export async function handOver(request: HandOverRequest): Promise<HandOver> {
  const target =
    process.platform === "win32"
      ? await loopback(request.paths, request.deadlineMs)
      : throughSocket(request.socket);
  if (target.type !== "target") return target;
  const { hook, body, headers, keys } = request.letter;
  const startedMs = performance.now();
  try {
    const response = await fetch(`${target.origin}/api/hooks/${hook}`, {
      ...target.init,
      method: "POST",
      headers: { "content-type": "application/json", ...headers, ...target.init.headers },
      body,
      signal: AbortSignal.timeout(request.deadlineMs),
    });
    if (!response.ok) return { type: "unusable", why: "refused" };
    // Nothing to say, to an event that was sent as the client's payload.
    const isSilent = response.status === 204 && keys === null;
    const replies = isSilent ? [] : readReplies(parseJson(await response.text()), keys);
    if (replies === null) return { type: "unusable", why: "unreadable" };
    return {
      type: "answered",
      replies,
      version: response.headers.get(versionHeader) ?? "",
      confirm: async () => {
        const leftMs = request.deadlineMs - (performance.now() - startedMs);
        await confirm(target, keys ?? replies[0]?.keys ?? [], Math.max(0, leftMs) + confirmMs);
      },
    };
  } catch (error) {
    return afterFailure(error);
  }
}

async function confirm(
  { origin, init }: DaemonTarget,
  keys: readonly string[],
  timeMs: number,
): Promise<void> {
  try {
    await fetch(`${origin}/api/hooks/${confirmPath}`, {
      ...init,
      method: "POST",
      headers: { "content-type": "application/json", ...init.headers },
      body: JSON.stringify(keys),
      signal: AbortSignal.timeout(Math.ceil(timeMs)),
    });
  } catch {
    // The daemon has left: the answer counts as late, and comes again.
  }
}

/** The address of our own daemon, and the data to send along. */
export interface DaemonTarget {
  readonly type: "target";
  readonly origin: string;
  readonly init: { readonly unix?: string; readonly headers: Readonly<Record<string, string>> };
}

/** Finds the daemon and makes sure that it is ours, before anything is sent to it. Never rejects. */
export async function daemonTarget(
  paths: HomePaths,
  deadlineMs: number,
): Promise<DaemonTarget | Unreachable> {
  return process.platform === "win32"
    ? loopback(paths, deadlineMs)
    : throughSocket(await findSocket(paths));
}

type Unreachable = Exclude<HandOver, { readonly type: "answered" }>;

function throughSocket(socket: SocketState): DaemonTarget | Unreachable {
  if (socket.type === "absent") return { type: "away" };
  if (socket.type === "foreign") return { type: "unusable", why: "foreign" };
  return { type: "target", origin: "http://continuity", init: { unix: socket.path, headers: {} } };
}

/**
 * Windows: loopback TCP. The port in daemon.json may meanwhile belong to another program, so the daemon first proves
 * that it knows the token; only then is the token sent.
 */
async function loopback(paths: HomePaths, deadlineMs: number): Promise<DaemonTarget | Unreachable> {
  const port = (await recordedDaemon(paths))?.port ?? null;
  const token = (
    await Bun.file(paths.token)
      .text()
      .catch(() => "")
  ).trim();
  if (port === null || token === "") return { type: "away" };
  const origin = `http://${loopbackHost}:${port}`;
  const nonce = crypto.randomUUID();
  try {
    const proof = await fetch(`${origin}/api/daemon/proof?nonce=${nonce}`, {
      signal: AbortSignal.timeout(deadlineMs),
    });
    if ((await proof.text()) !== proofOf(token, nonce)) return { type: "unusable", why: "foreign" };
    return { type: "target", origin, init: { headers: { authorization: `Bearer ${token}` } } };
  } catch (error) {
    return afterFailure(error);
  }
}

/** The answer to a nonce that only a reader of the token file can give. */
export const proofOf = (token: string, nonce: string): string =>
  sha256(`${sha256(`${token}\n${nonce}`, 64)}\n${token}`, 64);

const awayCodes: ReadonlySet<unknown> = new Set(["ENOENT", "ECONNREFUSED", "ConnectionRefused"]);

function afterFailure(error: unknown): Unreachable {
  const code = isRecord(error) ? error["code"] : undefined;
  return awayCodes.has(code) ? { type: "away" } : { type: "unusable", why: "slow" };
}

/** One reply for each key; one for all events where the daemon made the keys. Null for anything else. */
function readReplies(body: unknown, keys: readonly string[] | null): readonly LetterReply[] | null {
  const list: readonly unknown[] = Array.isArray(body) ? body : [body];
  const count = keys?.length ?? 1;
  const replies: LetterReply[] = [];
  for (const item of list) if (isReply(item)) replies.push(item);
  return replies.length === count && list.length === count ? replies : null;
}

/** The daemon's answer to a payload: also the keys by which it is confirmed. */
interface LetterReply extends HookReply {
  readonly keys?: readonly string[];
}

const isReply = (value: unknown): value is LetterReply =>
  isRecord(value) &&
  typeof value["context"] === "string" &&
  typeof value["fresh"] === "boolean" &&
  (value["message"] === undefined || typeof value["message"] === "string");
