/** Comparing versions of this program. Pure. */

/** True when `theirs` is a release older than `ours`. Unreadable versions are never older. */
export function isOlderVersion(theirs: string, ours: string): boolean {
  const a = numbers(theirs);
  const b = numbers(ours);
  if (a === null || b === null) return false;
  for (let at = 0; at < 3; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** `1.2.3-beta` counts as 1.2.3: a daemon does not restart for a suffix. */
const numbers = (version: string): readonly number[] | null =>
  /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1, 4).map(Number) ?? null;
