/** The user's own patterns (`[privacy] redact`). */
import type { Detector, Span } from "./spans.ts";

/**
 * A pattern that is no regular expression is taken literally: better to hide too little of a mistake than nothing.
 * Matching ignores case. Time is the user's own: their patterns are not checked for backtracking.
 */
export function createCustom(patterns: readonly string[]): Detector {
  const compiled = patterns.filter((pattern) => pattern !== "").map(compile);
  return ({ text }) => {
    if (compiled.length === 0) return [];
    const markers = [...text.matchAll(/\[redacted:[\w-]{1,60}\]/g)];
    const inMarker = (at: number): boolean =>
      markers.some(({ index, 0: marker }) => at >= index && at < index + marker.length);
    return compiled
      .flatMap((pattern) => Array.from(text.matchAll(pattern)))
      .map(({ index, 0: match }): Span => ({
        start: index,
        end: index + match.length,
        kind: "custom",
      }))
      .filter((span) => !inMarker(span.start));
  };
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "gi");
  } catch {
    return new RegExp(pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), "gi");
  }
}
