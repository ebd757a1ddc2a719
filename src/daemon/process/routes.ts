/** The routes that belong to the process rather than to the product; everything else is the application's. */
import { errorMessage, isRecord, listOf, readText, recordOf } from "#kit";
import { confirmPath, type HookEnvelope, type HookReply } from "#domain";
import {
  envelopesOf,
  envelopesOfRequest,
  proofOf,
  readSent,
  sentHeader,
  versionHeader,
} from "#hooks";
import type { Parts } from "./parts.ts";

const hooksPath = "/api/hooks/";
const flushMsDefault = 60_000;
const flushMsMax = 3_600_000;

/** Requests through the Unix socket: from this user's own processes. */
export const socketHandler =
  (parts: Parts) =>
  async (request: Request): Promise<Response> => {
    if (!URL.canParse(request.url)) return malformed();
    const { pathname } = new URL(request.url);
    const route = `${request.method} ${pathname}`;
    if (route === "GET /api/health")
      return json(parts, { ok: true, version: parts.context.version });
    parts.touch();
    try {
      if (request.method === "POST" && pathname.startsWith(hooksPath))
        return await acceptHook(parts, request, pathname.slice(hooksPath.length));
      if (route === "POST /api/flush")
        return json(parts, await flush(parts, await timeoutOf(request)));
      if (route === "POST /api/daemon/stop") {
        parts.stop("asked");
        return json(parts, { ok: true });
      }
      return await parts.app.fetch(request, "socket");
    } catch (error) {
      return failed(parts, error);
    }
  };

/** A client that is not let in cannot keep the daemon from leaving. */
const turnedAway: ReadonlySet<number> = new Set([401, 403, 429]);

/** Without a Host header there is no address that could be asked for. */
const malformed = (): Response => new Response(null, { status: 400 });

/** Requests through loopback TCP: from any user of this machine, so the application authenticates them. */
export const tcpHandler =
  (parts: Parts) =>
  async (request: Request): Promise<Response> => {
    if (!URL.canParse(request.url)) return malformed();
    const url = new URL(request.url);
    try {
      if (process.platform === "win32" && url.pathname === "/api/daemon/proof")
        return prove(tokenOf(parts), url.searchParams.get("nonce"));
      const response = await parts.app.fetch(request, "tcp");
      if (url.pathname !== "/api/health" && !turnedAway.has(response.status)) parts.touch();
      return response;
    } catch (error) {
      return failed(parts, error);
    }
  };

const tokenOf = ({ context: { paths } }: Parts): string | null =>
  readText(paths.token)?.trim() ?? null;

/** Shows that this is the daemon of the token's owner, without showing the token. */
export function prove(token: string | null, nonce: string | null): Response {
  const usable = token !== null && nonce !== null && /^[\w-]{16,64}$/.test(nonce);
  return usable ? new Response(proofOf(token, nonce)) : new Response(null, { status: 404 });
}

async function acceptHook(parts: Parts, request: Request, event: string): Promise<Response> {
  const body: unknown = await request.json().catch(() => undefined);
  if (event === confirmPath) return noteDelivered(parts, body);
  const sent = readSent(request.headers.get(sentHeader));
  if (sent !== null && isRecord(body)) return acceptRaw(parts, envelopesOf(body, sent));
  const envelopes = envelopesOfRequest({
    body,
    event,
    nowMs: parts.context.clock.nowMs(),
    invocation: parts.context.random.hex(16),
  });
  if (envelopes === null) return json(parts, { error: "not an event" }, 400);
  if (envelopes.length === 0) return json(parts, { context: "", fresh: false });
  const replies = await parts.intake.take(envelopes, "socket");
  return json(parts, Array.isArray(body) ? replies : merged(replies));
}

/** A hook process sent its client's payload as it is. Says nothing where there is nothing to say. */
async function acceptRaw(parts: Parts, envelopes: readonly HookEnvelope[]): Promise<Response> {
  const replies = envelopes.length === 0 ? [] : await parts.intake.take(envelopes, "socket");
  const reply = merged(replies.filter(({ fresh }) => fresh));
  if (reply.context === "" && reply.message === undefined)
    return new Response(null, { status: 204, headers: versionOf(parts) });
  return json(parts, { ...reply, keys: envelopes.map(({ key }) => key) });
}

/** Answers before it writes: the hook waits. */
function noteDelivered(parts: Parts, body: unknown): Response {
  const keys = listOf(body).filter((key) => typeof key === "string");
  setImmediate(() => {
    try {
      parts.app.delivered(keys);
    } catch (error) {
      failed(parts, error);
    }
  });
  return new Response(null, { status: 204 });
}

/** One payload may hold several events (PostToolBatch); a caller that sent one document gets one answer. */
const merged = (replies: readonly HookReply[]): HookReply => {
  const [message] = replies.flatMap((reply) => reply.message ?? []);
  return {
    context: replies.map(({ context }) => context).join(""),
    fresh: replies.some(({ fresh }) => fresh),
    ...(message === undefined ? {} : { message }),
  };
};

async function timeoutOf(request: Request): Promise<number> {
  const { timeoutMs: asked } = recordOf(await request.json().catch(() => null));
  return typeof asked === "number" && asked >= 0 ? Math.min(asked, flushMsMax) : flushMsDefault;
}

const json = (parts: Parts, value: unknown, status = 200): Response =>
  Response.json(value, { status, headers: versionOf(parts) });

const versionOf = ({ context: { version } }: Parts) => ({ [versionHeader]: version });

function failed(parts: Parts, error: unknown): Response {
  parts.context.log.write("error", "request.failed", { error: errorMessage(error) });
  return json(parts, { error: "failed" }, 500);
}

// Waits until everything accepted so far has been processed.

export interface FlushReport {
  readonly done: boolean;
  /** Events in the spool and requests not yet committed, plus due or running jobs. Zero when done. */
  readonly left: number;
}

const pauseMs = 20;

/** Resolves when nothing is left or the time is up. Jobs that are planned for later do not count. */
async function flush(parts: Parts, timeoutMs: number): Promise<FlushReport> {
  const { app, drain, waiting, work } = parts;
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const next = await within(endMs - performance.now(), async () => {
      await drain();
      app.runDueNow();
      return work.runOnce();
    });
    const pendingJobs = app.pendingJobs();
    const isDone = next !== "late" && next !== 0 && waiting() === 0;
    if (isDone && pendingJobs === 0) return { done: true, left: 0 };
    if (performance.now() >= endMs)
      return { done: false, left: Math.max(1, waiting() + pendingJobs) };
    // Something that cannot go in now, or a job that another call runs: look again shortly.
    if (next !== 0) await Bun.sleep(pauseMs);
  }
}

async function within<Value>(ms: number, work: () => Promise<Value>): Promise<Value | "late"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), Math.max(0, ms));
  });
  const result = await Promise.race([work(), late]);
  clearTimeout(timer);
  return result;
}
