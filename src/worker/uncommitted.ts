/** Which edited files a session has not committed, from its tool record: no git process is started for it. */
import type { ToolUse } from "#domain";

const editing: ReadonlySet<string> = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);
const filesMax = 50;

/** Files edited after the last successful `git commit`, oldest first. */
export function uncommittedFiles(uses: readonly ToolUse[]): readonly string[] {
  const lastCommit = uses.findLastIndex(
    ({ outcome, target }) =>
      outcome === "ok" && target !== null && /\bgit\b[^|;&]*\bcommit\b/.test(target),
  );
  const edited = uses
    .slice(lastCommit + 1)
    .filter(({ tool, outcome }) => editing.has(tool) && outcome === "ok")
    .flatMap(({ files }) => files);
  return [...new Set(edited)].slice(-filesMax);
}
