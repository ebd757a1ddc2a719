/**
 * One PreToolUse, from stdin to exit: holds what the agent is about to do against `guards.json`. Asks no daemon. It
 * never fails and never blocks by accident: what it cannot read makes it silent, and a line in the log says so.
 */
import { isRecord, parseJson, recordOf, textField, type Json } from "#kit";
import { homePaths, homeRoot, type ActiveGuard, type HomePaths } from "#domain";
import { guardAgainst, type Deed } from "./match.ts";
import { guardFileLimits, readGuardFile } from "./file.ts";
import type { AwayHook } from "../away.ts";
import { callerOf, type HookProcess, isHookSwitchedOff } from "../hook.ts";

/** Runs one hook. Resolves to the exit status, which is always 0; never rejects. */
export async function runGuardHook(hook: HookProcess, note: AwayHook["note"]): Promise<0> {
  const root = homeRoot(hook.env);
  if (isHookSwitchedOff(hook.env) || root === null) return 0;
  const paths = homePaths(root);
  try {
    const problem = await answer(hook, paths);
    if (problem !== null) await note(paths, { event: "guard.file", problem });
  } catch (error) {
    const name = error instanceof Error ? error.name : "unknown";
    // A log that cannot be written is the last thing that may disturb a session.
    await note(paths, { event: "guard.failed", error: name }).catch(() => undefined);
  }
  return 0;
}

/** `answer` says the fault of the file; null = nothing, or there is none, which is so while no guard is approved. */
async function answer(hook: HookProcess, paths: HomePaths): Promise<string | null> {
  const file = Bun.file(paths.guards);
  const stat = await file.stat().catch(() => null);
  if (stat === null) return null;
  // A pipe would never end, and what another user wrote must not decide.
  if (!stat.isFile()) return "not a file";
  if (process.getuid !== undefined && stat.uid !== process.getuid()) return "of another user";
  if (stat.size > guardFileLimits.bytesMax) return "too large";
  const [input, text] = await Promise.all([hook.readStdin(), file.text()]);
  const guards = readGuardFile(text);
  if (guards === null) return "damaged";
  const payload = input.type === "text" ? parseJson(input.text) : null;
  if (!isRecord(payload) || callerOf(payload, hook.env) !== null) return null;
  const deed = deedOf(payload, hook.env);
  const guard = deed === null ? null : await firstAgainst(guards, deed, hook.env);
  if (guard !== null) await hook.print(rendered(guard));
  return null;
}

/** Null for a tool that neither runs a command nor writes a file. */
function deedOf(payload: Json, env: HookProcess["env"]): Deed | null {
  const event = payload["hook_event_name"];
  if (event !== undefined && event !== "PreToolUse") return null;
  const tool = textField(payload, "tool_name") ?? "";
  const input = recordOf(payload["tool_input"]);
  const cwd = textField(payload, "cwd") ?? "/";
  const command = /^(?:Bash|PowerShell|Monitor)$/.test(tool) ? textField(input, "command") : null;
  const path = /^(?:Edit|Write|MultiEdit|NotebookEdit)$/.test(tool)
    ? (textField(input, "file_path") ?? textField(input, "notebook_path"))
    : null;
  return command === null && path === null
    ? null
    : { tool, command, path, cwd, root: env["CLAUDE_PROJECT_DIR"] ?? cwd };
}

/**
 * `firstAgainst` gives the first guard against the deed, of those that hold where it is done. Most
 * deeds are against nothing, by their words alone: of the disk, only what decides is looked up.
 */
async function firstAgainst(
  guards: readonly ActiveGuard[],
  deed: Deed,
  env: HookProcess["env"],
): Promise<ActiveGuard | null> {
  const { placesOf } = await import("./places.ts");
  return guardAgainst(guards, deed, placesOf(deed.root, deed.cwd, env));
}

/** The client shows the reason to the user, and gives it to the model when the answer is no. */
const rendered = ({ id, decision, words }: ActiveGuard): string =>
  JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: decision,
      permissionDecisionReason: `The user said: "${words}" (guard ${id} of Continuity)`,
    },
  });
