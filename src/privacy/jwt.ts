/**
 * JSON Web Tokens: `eyJ…` (base64 of `{"`), a dot, a payload and perhaps a signature. Encrypted ones have five parts.
 */
import { createRunEnds, hits } from "./spans.ts";
import type { Detector, Span } from "./spans.ts";

const headCharsMin = 10;
const payloadCharsMin = 4;
const partsMax = 5;

const isBase64Url = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 45 ||
  code === 95 ||
  code === 61;

const dot = 46;

export const detectJwts: Detector = (hay) => {
  const spans: Span[] = [];
  const runEnd = createRunEnds(hay.text, isBase64Url);
  const tailEnd = createRunEnds(hay.text, isBase64Url);
  let reached = 0;
  for (const at of hits(hay, ["eyj"])) {
    if (at < reached || !hay.text.startsWith("eyJ", at)) continue;
    const headEnd = runEnd(at);
    if (headEnd - at < headCharsMin || hay.text.charCodeAt(headEnd) !== dot) continue;
    let end = tailEnd(headEnd + 1);
    if (end - headEnd - 1 < payloadCharsMin) continue;
    for (let part = 2; part < partsMax && hay.text.charCodeAt(end) === dot; part += 1) {
      const next = tailEnd(end + 1);
      if (next === end + 1 && part > 2) break;
      end = next;
    }
    reached = end;
    spans.push({ start: at, end, kind: "jwt" });
  }
  return spans;
};
