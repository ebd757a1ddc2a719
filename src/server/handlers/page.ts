/** The viewer's page, its files, and the way in: a one-time code for a token of its own. */
import { loopbackHost } from "#domain";
import type { Random } from "#kit";
import type { RotatedJson } from "#api";
import { demand, HttpFailure } from "../errors.ts";
import {
  demandPerson,
  type Handlers,
  holdsTag,
  pageAsked,
  peerOf,
  type ServerEnv,
  type ServiceDep,
} from "../handler.ts";
import { failedAttempt, type GuardDeps } from "../security.ts";
import type { Live } from "../live.ts";

export interface PageDep {
  /** Null in a program that was built without the viewer. */
  readonly viewer: ViewerFiles | null;
  readonly random: Random;
  /** TCP port of this daemon; null when it has none. */
  readonly port: () => number | null;
  /** A link was used: what held it can go. */
  readonly onRedeemed?: () => void;
}

/** The page names its own scripts and styles by a nonce, and reaches nothing but this server. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    // Our own files as well: parts of the page that come later bring no nonce to what they import.
    `script-src 'nonce-${nonce}' 'self'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const nonceChars = 32;
/** A file's name changes with its content. */
const forEver = "public, max-age=31536000, immutable";

/** Refuses what only the user's own processes may do: the socket opens to the user alone. */
function demandSocket(env: ServerEnv["Bindings"], message: string): void {
  if (peerOf(env).transport !== "socket") throw new HttpFailure("auth.socket-only", message);
}

export const pageHandlers = (deps: GuardDeps & LiveDep & PageDep) => {
  const { access } = deps;
  return {
    "POST /api/ui/code": (_, c) => {
      demandSocket(c.env, "Only the local socket gives out links.");
      const port = deps.port();
      if (port === null)
        throw new HttpFailure(
          "ui.no-port",
          "The daemon has no TCP port that a browser could reach.",
        );
      const { code, expiresAtMs } = access.mint();
      const url = `http://${loopbackHost}:${port}/#code=${code}`;
      return { code, url, expires_at: expiresAtMs };
    },
    "POST /api/ui/token": ({ body }) => {
      const token = access.redeem(body.code);
      if (token === null) throw failedAttempt(deps.failures, spent());
      deps.onRedeemed?.();
      return { token };
    },
    "POST /api/ui/proof": ({ body }, c) => {
      const peer = peerOf(c.env);
      const port = peer.transport === "tcp" ? peer.port : (deps.port() ?? 0);
      const proof = access.prove(body, port);
      if (proof === null) throw failedAttempt(deps.failures, spent());
      return { proof };
    },
    "POST /api/token/rotate": (_, c) => {
      demandSocket(c.env, "Only the local socket replaces the token.");
      demandPerson(c);
      return rotate(deps);
    },
    "GET /": (_, c) => {
      const nonce = deps.random.hex(nonceChars);
      c.header("Content-Security-Policy", policyOf(nonce));
      return c.html(found(deps.viewer).page(nonce));
    },
    "GET /assets/:name": ({ param: { name } }, c) => {
      const asset = found(deps.viewer).asset(name);
      if (asset === null) throw new HttpFailure("route.not-found", "Not found.");
      const tag = `"${asset.etag}"`;
      const headers = { ETag: tag, "Cache-Control": forEver, Vary: "Accept-Encoding" };
      if (holdsTag(c.req.header("if-none-match"), tag)) return c.body(null, 304, headers);
      const isPacked = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
      const bytes = isPacked ? asset.gzip : Bun.gunzipSync(Uint8Array.from(asset.gzip));
      return c.body(Uint8Array.from(bytes), 200, {
        ...headers,
        "Content-Type": asset.type,
        ...(isPacked ? { "Content-Encoding": "gzip" } : {}),
      });
    },
  } satisfies Partial<Handlers>;
};

/** Nothing that was given out before holds any more. */
function rotate({ rotateToken, access, live }: GuardDeps & LiveDep): RotatedJson {
  if (!rotateToken())
    throw new HttpFailure(
      "store.unavailable",
      "The new token could not be written; the old one still holds. Check free space and permissions.",
    );
  access.clear();
  // Streams were opened with tokens that no longer hold.
  live.close();
  return { rotated: true };
}

const spent = (): HttpFailure =>
  new HttpFailure("auth.code", "This link was used or has expired; run `continuity ui` again.");

function found(viewer: ViewerFiles | null): ViewerFiles {
  if (viewer !== null) return viewer;
  throw new HttpFailure("viewer.missing", "This program was built without the viewer.");
}

// The live feed: pages of what happened, and a stream of what happens.

export interface LiveDep {
  readonly live: Live;
}

const feedLimit = 50;

export const feedHandlers = ({ live, service }: LiveDep & ServiceDep) =>
  ({
    "GET /api/feed": ({ query }) =>
      demand(service.feed({ ...pageAsked(query, feedLimit), kinds: query.kind ?? null })),
    "GET /api/events": (_, c) => {
      const stream = live.open(c.req.header("last-event-id") ?? null);
      if (stream === null)
        throw new HttpFailure("feed.full", "Too many are listening already; close one.");
      return c.body(stream, 200, { "Content-Type": "text/event-stream; charset=utf-8" });
    },
  }) satisfies Partial<Handlers>;

// The viewer's files as the server sees them: bytes by name. What is in them is the viewer's affair.

export interface ViewerFiles {
  /** The page, with this nonce on its scripts and styles. */
  readonly page: (nonce: string) => string;
  /** A file by its name (the last part of its path); null when there is none of that name. */
  readonly asset: (name: string) => ViewerAsset | null;
}

export interface ViewerAsset {
  /** MIME type. */
  readonly type: string;
  readonly gzip: Uint8Array;
  /** Without quotes. */
  readonly etag: string;
}
