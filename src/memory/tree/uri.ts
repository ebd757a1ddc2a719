/**
 * URIs of the memory tree: one spelling per place, and no spelling that leads out of the tree.
 *
 * Pure. Must not know which nodes exist; `leaf.ts` asks that through a function it is given.
 */
import { categoryRules, treeRoot } from "#domain";
import { err, ok, type Result } from "#kit";
import { limits } from "../limits.ts";
import { foldLetters, segmentOf } from "./slug.ts";

export type UriError =
  /** Another scheme, such as `https://`. */
  | { readonly type: "uri.foreign"; readonly scheme: string }
  /** A `..` segment, however it was spelled. */
  | { readonly type: "uri.escapes" }
  | { readonly type: "uri.too-deep"; readonly segments: number; readonly segmentsMax: number }
  | { readonly type: "uri.too-long"; readonly chars: number; readonly charsMax: number };

/**
 * The one spelling of a URI: lower case `[a-z0-9._-]` segments, `.` and empty segments dropped, percent encodings and
 * backslashes undone first. `mem://` may be left out; `mem://` alone is the root. Idempotent.
 */
export function canonicalUri(text: string): Result<string, UriError> {
  const plain = foldLetters(decoded(text)).trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//.exec(plain)?.[1];
  if (scheme !== undefined && scheme !== "mem") return err({ type: "uri.foreign", scheme });
  const path = scheme === undefined ? plain : plain.slice(treeRoot.length);
  const parts = path.split(/[/\\]/).map((part) => part.trim());
  if (parts.includes("..")) return err({ type: "uri.escapes" });
  const segments = parts
    .filter((part) => part !== "" && part !== ".")
    .flatMap((part) => segmentOf(part) ?? []);
  return withinLimits(segments);
}

function withinLimits(segments: readonly string[]): Result<string, UriError> {
  const { uriSegmentsMax: segmentsMax, uriCharsMax: charsMax } = limits;
  if (segments.length > segmentsMax) {
    return err({ type: "uri.too-deep", segments: segments.length, segmentsMax });
  }
  const uri = `${treeRoot}${segments.join("/")}`;
  return uri.length > charsMax
    ? err({ type: "uri.too-long", chars: uri.length, charsMax })
    : ok(uri);
}

/**
 * Directories above a canonical URI, outermost first, without the root: `mem://user`, `mem://user/profile` for a
 * profile leaf.
 */
export function parentsOf(uri: string): readonly string[] {
  const segments = uri.slice(treeRoot.length).split("/").filter(Boolean);
  return segments
    .slice(0, -1)
    .map((_, index) => `${treeRoot}${segments.slice(0, index + 1).join("/")}`);
}

/** A place in a session's archive; `n` counts from 1. */
export type ArchivePlace =
  | { readonly sessionId: string; readonly part: "summary" }
  | {
      readonly sessionId: string;
      readonly part: "exchanges" | "observations" | "sentences";
      readonly n: number;
    };

/** Session ids are UUIDs; anything longer is not one. */
const sessionIdCharsMax = 100;

/** `mem://sessions/<id>/exchanges/<n>`, `/observations/<n>`, `/sentences/<n>` or `/summary`. */
export function archiveUri(place: ArchivePlace): string {
  const id = segmentOf(place.sessionId.replaceAll(/[/\\]/g, "-"));
  const session = `${categoryRules.sessions.root}/${id?.slice(0, sessionIdCharsMax) ?? "unknown"}`;
  return place.part === "summary" ? `${session}/summary` : `${session}/${place.part}/${place.n}`;
}

/** Percent encodings undone, also nested ones up to a bound; what still has a `%` then is only text. */
function decoded(text: string): string {
  let plain = text;
  for (let round = 0; round < limits.uriDecodeRoundsMax; round += 1) {
    const next = decodedOnce(plain);
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

/** Byte runs that are no UTF-8 (`%ff`) stay as they are: decodeURIComponent is the only thing here that throws. */
const decodedOnce = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
