/** Tells runs whose prompts a program sends (`claude -p`, SDKs) from sessions in which a person types. Pure. */

/** The client's names of ways in that no person types at: `sdk-cli` (`claude -p`), `sdk-ts`, `sdk-py`. */
export const isHeadlessEntry = (entrypoint: string | null | undefined): boolean =>
  entrypoint?.startsWith("sdk-") === true || entrypoint === "claude-code-github-action";

/**
 * True in the environment that a client gives its hooks in such a run. Newer clients say whether somebody attends:
 * a terminal that was opened in another session's shell inherits that one's entrypoint.
 */
export const isHeadlessEnv = (env: Readonly<Record<string, string | undefined>>): boolean => {
  const entrypoint = env["CLAUDE_CODE_ENTRYPOINT"];
  const attended = env["CLAUDE_CODE_SESSION_ATTENDED"];
  if (attended === "0") return entrypoint !== undefined && entrypoint !== "cli";
  return attended !== "1" && isHeadlessEntry(entrypoint);
};

/** Tag of what was said in such a run, where it lies in the archive. */
export const headlessTag = "headless";
