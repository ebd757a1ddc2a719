import { expect, test } from "bun:test";
import { isHeadlessEnv } from "./agent.ts";

// As hooks of Claude Code 2.1.328 saw it; older clients do not say whether somebody attends.
test.each<[entrypoint: string | undefined, attended: string | undefined, isHeadless: boolean]>([
  ["sdk-cli", "0", true],
  ["sdk-ts", "0", true],
  ["sdk-py", "0", true],
  ["claude-code-github-action", "0", true],
  ["sdk-cli", undefined, true],
  ["sdk-ts", undefined, true],
  ["sdk-py", undefined, true],
  ["cli", "1", false],
  ["claude-vscode", "1", false],
  ["claude-desktop", "1", false],
  // A terminal that was opened in a headless run's shell.
  ["sdk-cli", "1", false],
  ["cli", undefined, false],
  [undefined, undefined, false],
])("entrypoint %p, attended %p: headless is %p", (entrypoint, attended, isHeadless) => {
  const env = { CLAUDE_CODE_ENTRYPOINT: entrypoint, CLAUDE_CODE_SESSION_ATTENDED: attended };
  expect(isHeadlessEnv(env)).toBe(isHeadless);
});
