/**
 * Guards the loopback port (docs/design/operations.md, "Local API"). One middleware for all routes,
 * also for those that do not exist; the Unix socket is trusted by file ownership. Must not know
 * what any route does.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { routes } from "../routes.ts";
import { loopbackHost } from "#domain";
import { msPerHour, msPerMinute, msPerSecond, sha256 } from "#kit";
import { HttpFailure } from "./errors.ts";
import { peerOf, type ServerEnv } from "./handler.ts";
import type { ServerContext } from "./context.ts";

export interface Guarded extends ServerContext {
  readonly countFailure: ReturnType<typeof createFailureLimit>;
  /** The viewer's own tokens. */
  readonly access: ReturnType<typeof createAccess>;
}

const bodyBytesMax = 1_048_576;
/** Hook payloads hold whole tool results; they arrive over the socket from our own hook process. */
const hookBodyBytesMax = 16 * bodyBytesMax;
/** A person mistypes a token a few times; a script that guesses does so without end. */
const failuresPerMinuteMax = 10;

const hooksPath = "/api/hooks/";
/** One turn of an imported session may be as long as its prompt, its answer and what they taught. */
const importPath = "/api/import";
/** Routes without a token. They tell nothing of what is remembered. */
const openRoutes = routes
  .filter(({ isOpen }) => isOpen === true)
  .map(({ method, path }) => ({ method, path: new RegExp(`^${path.replace(/:\w+/g, ".*")}$`) }));
const isOpen = (method: string, path: string): boolean => {
  const asked = method === "HEAD" ? "GET" : method;
  return openRoutes.some((route) => route.method === asked && route.path.test(path));
};

const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Headers of every answer, refusals included. No CORS header is ever sent. */
export const answerHeaders: MiddlewareHandler<ServerEnv> = async (c, next) => {
  await next();
  const { headers } = c.res;
  // The viewer's page has a policy of its own, and its files may be kept.
  if (!headers.has("Content-Security-Policy"))
    headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  c.res.headers.set("X-Content-Type-Options", "nosniff");
  c.res.headers.set("Referrer-Policy", "no-referrer");
};

/** Host, Origin, token and content type of TCP requests, in this order. */
export function guard(context: Guarded): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const peer = peerOf(c.env);
    if (peer.transport === "tcp") {
      checkHost(c.req.header("host"), peer.port);
      checkOrigin(c.req.header("origin"), peer.port);
      if (!isOpen(c.req.method, c.req.path)) checkToken(context, c.req.header("authorization"));
      checkContentType(c.req.method, c.req.header("content-type"));
    }
    await next();
  };
}

/** Refuses bodies above 1 MB; above 16 MB for hooks on the socket. */
export const limitBody = (): MiddlewareHandler<ServerEnv> => {
  const limitTo = (maxSize: number): MiddlewareHandler<ServerEnv> =>
    bodyLimit({
      maxSize,
      onError: () => {
        throw new HttpFailure("request.too-large", `Request too large (max ${maxSize} bytes).`);
      },
    });
  const normal = limitTo(bodyBytesMax);
  const hook = limitTo(hookBodyBytesMax);
  return (c, next) => {
    const isLong = c.req.path.startsWith(hooksPath) || c.req.path === importPath;
    const isHook = isLong && peerOf(c.env).transport === "socket";
    return isHook ? hook(c, next) : normal(c, next);
  };
};

const ownHosts = (port: number): readonly string[] =>
  [loopbackHost, "localhost", "[::1]"].map((host) => `${host}:${port}`);

/** A page that rebinds its own name to 127.0.0.1 still sends its own name. */
function checkHost(host: string | undefined, port: number): void {
  if (host === undefined || !ownHosts(port).includes(host.toLowerCase()))
    throw new HttpFailure("auth.host", "Host not allowed.");
}

function checkOrigin(origin: string | undefined, port: number): void {
  if (origin === undefined) return;
  if (!ownHosts(port).some((host) => origin.toLowerCase() === `http://${host}`))
    throw new HttpFailure("auth.origin", "Origin not allowed.");
}

/**
 * The right token always passes, so that a noisy neighbour cannot lock the user out; wrong ones are answered with 429
 * above the limit. With 256 random bits the limit is not what keeps guessers out: it keeps them visible and cheap.
 */
function checkToken(context: Guarded, header: string | undefined): void {
  const given = /^Bearer (\S+)$/i.exec(header ?? "")?.[1];
  const token = context.token();
  if (given !== undefined && token !== null && token !== "" && isSame(given, token)) return;
  if (given !== undefined && context.access.opens(given)) return;
  throw failedAttempt(
    context,
    new HttpFailure("auth.required", "Missing bearer token; it is in the home folder."),
  );
}

/** `failedAttempt` gives the answer to a failed attempt: `failure`, or a word about there being too many. */
export function failedAttempt({ countFailure }: Guarded, failure: HttpFailure): HttpFailure {
  const retryAfterSeconds = countFailure();
  return retryAfterSeconds === null
    ? failure
    : new HttpFailure("auth.too-many", "Too many failed attempts.", retryAfterSeconds);
}

/** Compares digests: equal lengths, and no early exit. */
const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(a, 64)), Buffer.from(sha256(b, 64)));

/** A form or plain text can be posted across sites without a preflight; JSON cannot. */
function checkContentType(method: string, contentType: string | undefined): void {
  if (readMethods.has(method)) return;
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? ""))
    throw new HttpFailure("request.not-json", "Writes need Content-Type: application/json.");
}

/**
 * Counts failures of all callers: behind loopback they cannot be told apart. Returns the seconds to wait when there
 * were too many in the running minute, else null.
 */
export function createFailureLimit({ clock }: ServerContext): () => number | null {
  let windowStartMs = -Infinity;
  let count = 0;
  return () => {
    const nowMs = clock.nowMs();
    // A clock that jumped back starts a new window instead of locking until it catches up.
    if (nowMs - windowStartMs >= msPerMinute || nowMs < windowStartMs) {
      windowStartMs = nowMs;
      count = 0;
    }
    count += 1;
    if (count <= failuresPerMinuteMax) return null;
    return Math.ceil((windowStartMs + msPerMinute - nowMs) / msPerSecond);
  };
}

// The way into the viewer. A one-time code, asked for over the Unix socket, is exchanged for a token of the page's
// own: never the token of the home folder. Both live in this process's memory only, as hashes, and end with it, so
// that whoever takes over the port of a daemon that is gone holds nothing of use. Before the page sends either, it
// lets the server prove that it knows the secret (`prove`).

const codeLifeMs = msPerMinute;
const tokenLifeMs = 12 * msPerHour;
/** Links that may be open at a time, and pages that may be in; the oldest gives way. */
const secretsMax = 8;
/** 128 bits: nobody guesses one in a minute. */
const codeChars = 32;
const tokenChars = 64;
/** Enough to tell sixteen secrets apart; says nothing about them. */
const idChars = 16;

/** Secrets as hashes with the time they end, by the daemon's own clock. */
function createSecrets({ clock }: ServerContext, lifeMs: number) {
  const expiryByHash = new Map<string, number>();
  const holds = (hash: string): boolean => {
    const expiresAtMs = expiryByHash.get(hash);
    const nowMs = clock.nowMs();
    // A clock that jumped back makes no secret live longer.
    return expiresAtMs !== undefined && nowMs < expiresAtMs && nowMs >= expiresAtMs - lifeMs;
  };
  return {
    add: (secret: string): number => {
      const expiresAtMs = clock.nowMs() + lifeMs;
      const [oldest] = expiryByHash.keys();
      if (expiryByHash.size >= secretsMax && oldest !== undefined) expiryByHash.delete(oldest);
      expiryByHash.set(hashOf(secret), expiresAtMs);
      return expiresAtMs;
    },
    has: (secret: string): boolean => holds(hashOf(secret)),
    drop: (secret: string): boolean => expiryByHash.delete(hashOf(secret)),
    hashOfId: (id: string): string | undefined =>
      [...expiryByHash.keys()].find((hash) => sha256(hash, idChars) === id && holds(hash)),
    clear: () => expiryByHash.clear(),
  };
}

const hashOf = (secret: string): string => sha256(secret, 64);

export function createAccess(context: ServerContext) {
  const codes = createSecrets(context, codeLifeMs);
  const tokens = createSecrets(context, tokenLifeMs);
  return {
    /** A code for a link. */
    mint: () => {
      const code = context.random.hex(codeChars);
      return { code, expiresAtMs: codes.add(code) };
    },
    /** A token for a code: once for each, in time. Null otherwise. */
    redeem: (code: string): string | null => {
      const isGood = codes.has(code);
      codes.drop(code);
      if (!isGood) return null;
      const token = context.random.hex(tokenChars);
      tokens.add(token);
      return token;
    },
    /** Was this token given to a page, in time? */
    opens: tokens.has,
    /** The answer to a nonce, on this port, that takes the secret of this id. Null when there is no such secret. */
    prove: (
      { id, nonce }: { readonly id: string; readonly nonce: string },
      port: number,
    ): string | null => {
      const hash = codes.hashOfId(id) ?? tokens.hashOfId(id);
      if (hash === undefined) return null;
      return createHmac("sha256", hash).update(`${nonce} ${port}`).digest("hex");
    },
    /** Ends every code and every token. */
    clear: (): void => {
      codes.clear();
      tokens.clear();
    },
  };
}
