/** The routes that belong to the process rather than to the product; everything else is the application's. */
import type { Random, Log } from "#kit";
import { confirmPath, type HookReply } from "#domain";
import { envelopesOfRequest, proofOf, versionHeader } from "#hooks";
import type { DaemonApp, DaemonControl } from "./app.ts";

export interface RouteDeps {
  readonly log: Log;
  readonly fetch: DaemonApp["fetch"];
  readonly version: string;
  readonly nowMs: () => number;
  readonly random: Random;
  readonly take: DaemonControl["take"];
  readonly delivered: DaemonApp["delivered"];
  readonly flush: (timeoutMs: number) => Promise<FlushReport>;
  readonly stop: (reason: string) => void;
  /** Anything but a health check keeps the daemon from leaving. */
  readonly touch: () => void;
  /** The bearer token of this home, or null. */
  readonly token: () => string | null;
}

const hooksPath = "/api/hooks/";
const flushMsDefault = 60_000;
const flushMsMax = 3_600_000;

/** Requests through the Unix socket: from this user's own processes. */
export const socketHandler =
  (deps: RouteDeps) =>
  async (request: Request): Promise<Response> => {
    if (!URL.canParse(request.url)) return malformed();
    const { pathname } = new URL(request.url);
    const route = `${request.method} ${pathname}`;
    if (route === "GET /api/health") return json(deps, { ok: true, version: deps.version });
    deps.touch();
    try {
      if (request.method === "POST" && pathname.startsWith(hooksPath))
        return await acceptHook(deps, request, pathname.slice(hooksPath.length));
      if (route === "POST /api/flush")
        return json(deps, await deps.flush(await timeoutOf(request)));
      if (route === "POST /api/daemon/stop") {
        deps.stop("asked");
        return json(deps, { ok: true });
      }
      return await deps.fetch(request, "socket");
    } catch (error) {
      return failed(deps, error);
    }
  };

/** Who is not let in cannot keep the daemon from leaving. */
const turnedAway: ReadonlySet<number> = new Set([401, 403, 429]);

/** Without a Host header there is no address that could be asked for. */
const malformed = (): Response => new Response(null, { status: 400 });

/** Requests through loopback TCP: from any user of this machine, so the application authenticates them. */
export const tcpHandler =
  (deps: RouteDeps) =>
  async (request: Request): Promise<Response> => {
    if (!URL.canParse(request.url)) return malformed();
    const url = new URL(request.url);
    try {
      if (process.platform === "win32" && url.pathname === "/api/daemon/proof")
        return prove(deps.token(), url.searchParams.get("nonce"));
      const response = await deps.fetch(request, "tcp");
      if (url.pathname !== "/api/health" && !turnedAway.has(response.status)) deps.touch();
      return response;
    } catch (error) {
      return failed(deps, error);
    }
  };

/** Shows that this is the daemon of the token's owner, without showing the token. */
export function prove(token: string | null, nonce: string | null): Response {
  const usable = token !== null && nonce !== null && /^[\w-]{16,64}$/.test(nonce);
  return usable ? new Response(proofOf(token, nonce)) : new Response(null, { status: 404 });
}

async function acceptHook(deps: RouteDeps, request: Request, event: string): Promise<Response> {
  const body: unknown = await request.json().catch(() => undefined);
  if (event === confirmPath) return noteDelivered(deps, body);
  const envelopes = envelopesOfRequest({
    body,
    event,
    nowMs: deps.nowMs(),
    invocation: deps.random.hex(16),
  });
  if (envelopes === null) return json(deps, { error: "not an event" }, 400);
  if (envelopes.length === 0) return json(deps, { context: "", fresh: false });
  const replies = await deps.take(envelopes, "socket");
  return json(deps, Array.isArray(body) ? replies : merged(replies));
}

/** Answers before it writes: the hook waits. */
function noteDelivered(deps: RouteDeps, body: unknown): Response {
  const list: readonly unknown[] = Array.isArray(body) ? body : [];
  const keys = list.filter((key) => typeof key === "string");
  setImmediate(() => {
    try {
      deps.delivered(keys);
    } catch (error) {
      failed(deps, error);
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
  const body: unknown = await request.json().catch(() => ({}));
  const asked =
    typeof body === "object" && body !== null && "timeoutMs" in body ? body.timeoutMs : null;
  return typeof asked === "number" && asked >= 0 ? Math.min(asked, flushMsMax) : flushMsDefault;
}

const json = (deps: RouteDeps, value: unknown, status = 200): Response =>
  Response.json(value, { status, headers: { [versionHeader]: deps.version } });

function failed(deps: RouteDeps, error: unknown): Response {
  deps.log.write("error", "request.failed", {
    error: error instanceof Error ? error.message : "unknown",
  });
  return json(deps, { error: "failed" }, 500);
}

// Waits until everything accepted so far has been processed.

export interface FlushReport {
  readonly done: boolean;
  /** Events in the spool and requests not yet committed, plus due or running jobs. Zero when done. */
  readonly left: number;
}

interface FlushDeps {
  readonly drain: () => Promise<unknown>;
  /** Events that are not committed yet. */
  readonly waiting: () => number;
  /** Makes due what waits for a quiet moment. */
  readonly runDueNow: () => void;
  /** Works once; 0 = more is due now. */
  readonly work: () => Promise<number | null>;
  readonly pendingJobs: () => number;
  /** Monotonic, ms. */
  readonly elapsedMs: () => number;
}

const pauseMs = 20;

/** Resolves when nothing is left or the time is up. Jobs that are planned for later do not count. */
export async function flush(deps: FlushDeps, timeoutMs: number): Promise<FlushReport> {
  const endMs = deps.elapsedMs() + timeoutMs;
  for (;;) {
    const next = await within(endMs - deps.elapsedMs(), async () => {
      await deps.drain();
      deps.runDueNow();
      return deps.work();
    });
    const isDone = next !== "late" && next !== 0 && deps.waiting() === 0;
    if (isDone && deps.pendingJobs() === 0) return { done: true, left: 0 };
    if (deps.elapsedMs() >= endMs)
      return { done: false, left: Math.max(1, deps.waiting() + deps.pendingJobs()) };
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
