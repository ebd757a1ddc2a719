/**
 * Entity tags of reads: a client that has an answer already is not sent it again. The tag of a node begins with its
 * revision, so that it can be sent back as a condition of a change (`If-Match`).
 */
import type { MiddlewareHandler } from "hono";
import type { ServerEnv } from "./peer.ts";

/** Tags JSON answers to GET, and answers 304 when the asker has the same. Streams are left alone. */
export const entityTags: MiddlewareHandler<ServerEnv> = async (c, next) => {
  await next();
  const type = c.res.headers.get("content-type") ?? "";
  if (!isRead(c.req.method) || c.res.status !== 200 || !type.startsWith("application/json")) return;
  const bytes = await c.res.arrayBuffer();
  const revision = c.get("revision");
  const prefix = revision === undefined ? "" : `r${revision}-`;
  const tag = `"${prefix}${Bun.hash(bytes).toString(36)}"`;
  const headers = new Headers(c.res.headers);
  headers.set("ETag", tag);
  const isKnown = holdsTag(c.req.header("if-none-match"), tag);
  c.res = undefined;
  c.res = isKnown
    ? new Response(null, { status: 304, headers: { ETag: tag } })
    : new Response(bytes, { status: 200, headers });
};

/** A HEAD is told what the GET would be. */
const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/** Does an `If-None-Match` name this tag? Weak ones count: the text is the same. */
export const holdsTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  header.split(",").some((one) => ["*", tag].includes(one.trim().replace(/^W\//, "")));

/** The revision in `"r17-…"` or `"r17"`; null when there is none. */
export function revisionIn(header: string): number | null {
  const digits = /^(?:W\/)?"?r(\d{1,15})(?:-[\w]+)?"?$/.exec(header.trim())?.[1];
  return digits === undefined ? null : Number(digits);
}
