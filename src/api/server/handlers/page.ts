/** The viewer's page, its files and feed, and the way in: a one-time code for a token of its own. */
import { brotliDecompressSync } from "node:zlib";
import { loopbackHost } from "#domain";
import type { RotatedJson } from "../../forms-reports.ts";
import { HttpFailure } from "../errors.ts";
import { type Handlers, peerOf, type ServerEnv } from "../handler.ts";
import { failedAttempt, type Guarded } from "../security.ts";
import type { ViewerFiles } from "../context.ts";

/** The page names its own scripts and styles by a nonce, and reaches nothing but this server. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
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

export const pageHandlers = (context: Guarded) => {
  const { access, live } = context;
  return {
    "POST /api/ui/code": (_, c) => {
      demandSocket(c.env, "Only the local socket gives out links.");
      const port = context.port();
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
      if (token === null) throw failedAttempt(context, spent());
      context.onRedeemed?.();
      return { token };
    },
    "POST /api/ui/proof": ({ body }, c) => {
      const peer = peerOf(c.env);
      const port = peer.transport === "tcp" ? peer.port : (context.port() ?? 0);
      const proof = access.prove(body, port);
      if (proof === null) throw failedAttempt(context, spent());
      return { proof };
    },
    "POST /api/token/rotate": (_, c) => {
      demandSocket(c.env, "Only the local socket replaces the token.");
      return rotate(context);
    },
    "GET /": (_, c) => {
      const nonce = context.random.hex(nonceChars);
      c.header("Content-Security-Policy", policyOf(nonce));
      return c.html(found(context.viewer).page(nonce));
    },
    "GET /assets/:name": ({ param: { name } }, c) => {
      const asset = found(context.viewer).asset(name);
      if (asset === null) throw new HttpFailure("route.not-found", "Not found.");
      const headers = { "Cache-Control": forEver, Vary: "Accept-Encoding" };
      // Browsers take Brotli from this machine as they do over TLS.
      const isPacked = /\bbr\b/.test(c.req.header("accept-encoding") ?? "");
      const bytes = isPacked ? asset.brotli : brotliDecompressSync(asset.brotli);
      return c.body(Uint8Array.from(bytes), 200, {
        ...headers,
        "Content-Type": asset.type,
        ...(isPacked ? { "Content-Encoding": "br" } : {}),
      });
    },
    "GET /api/events": (_, c) => {
      const stream = live.open(c.req.header("last-event-id") ?? null);
      if (stream === null)
        throw new HttpFailure("feed.full", "Too many are listening already; close one.");
      return c.body(stream, 200, { "Content-Type": "text/event-stream; charset=utf-8" });
    },
  } satisfies Partial<Handlers>;
};

/** Nothing that was given out before holds any more. */
function rotate({ rotateToken, access, live }: Guarded): RotatedJson {
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
