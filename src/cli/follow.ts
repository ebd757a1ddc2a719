/** Following a log that is read as "the last n lines" again and again. Pure. */

/**
 * The lines of `now` that were not in `before`: what follows the longest end of `before` with which `now` begins
 * or which it contains. Everything, when they have nothing in common (more was written than is looked back at).
 */
export function followed(before: readonly string[], now: readonly string[]): readonly string[] {
  const last = before.at(-1);
  if (last === undefined) return now;
  // The usual case, and the one that tells equal lines apart: nothing has scrolled out yet.
  if (before.every((line, at) => now[at] === line)) return now.slice(before.length);
  for (let at = now.length - 1; at >= 0; at -= 1) {
    if (now[at] === last && isTail(before, now, at)) return now.slice(at + 1);
  }
  return now;
}

/** Does `now` up to and including `at` end as `before` does, as far as both reach? */
function isTail(before: readonly string[], now: readonly string[], at: number): boolean {
  const shared = Math.min(before.length, at + 1);
  for (let back = 0; back < shared; back += 1)
    if (before[before.length - 1 - back] !== now[at - back]) return false;
  return true;
}
