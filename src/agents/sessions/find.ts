/**
 * The session files of an agent below a folder. Follows no symbolic link, opens nothing but regular files of a sane
 * size.
 */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { HookedAgent } from "../spec.ts";
import { readAider, type AiderChat } from "./aider.ts";
import { readCodex } from "./codex.ts";
import { readCopilot } from "./copilot.ts";
import type { AgentSession } from "./entries.ts";
import { readGemini } from "./gemini.ts";

/** How each agent names its session files. */
const names: Readonly<Record<HookedAgent | "aider", RegExp>> = {
  codex: /^rollout-.*\.jsonl$/,
  gemini: /^session-.*\.jsonl$/,
  copilot: /^events\.jsonl$/,
  aider: /^\.aider\.chat\.history\.md$/,
};

const depthMax = 6;
const filesMax = 100_000;
/** A session's context is a few megabytes. */
const fileBytesMax = 256 * 1_024 * 1_024;

export interface SessionFile {
  readonly path: string;
  readonly bytes: number;
}

/** A folder's session files in the order of their paths, or the one file that is named. */
export function sessionFiles(agent: HookedAgent | "aider", place: string): readonly SessionFile[] {
  const found: SessionFile[] = [];
  const look = (path: string, depth: number): void => {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts?.isFile() === true) {
      if (names[agent].test(basename(path)) || depth === 0) found.push({ path, bytes: facts.size });
    } else if (facts?.isDirectory() === true && depth < depthMax && found.length < filesMax)
      for (const name of namesIn(path)) look(join(path, name), depth + 1);
  };
  look(place, 0);
  return found;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return []; // No permission, or it went away.
  }
}

/** The session in a file; a word for people when there is none. */
export const readSessionFile = (agent: HookedAgent, file: SessionFile): AgentSession | string =>
  readText(file, (text) => sessionIn(agent, file.path, text) ?? "not a session");

/** The chats of an aider history, which lies in its project's folder; a word for people when it cannot be read. */
export const readAiderFile = (file: SessionFile): readonly AiderChat[] | string =>
  readText(file, (text) => readAider(text, dirname(file.path)));

function readText<T>({ path, bytes }: SessionFile, read: (text: string) => T): T | string {
  if (bytes === 0) return "an empty file";
  if (bytes > fileBytesMax) return "larger than 256 MB";
  try {
    return read(readFileSync(path, "utf8"));
  } catch {
    return "cannot be read";
  }
}

function sessionIn(agent: HookedAgent, path: string, text: string): AgentSession | null {
  if (agent === "codex") return readCodex(text);
  return agent === "copilot" ? readCopilot(text) : readGemini(text, projectRoot(path));
}

/** Gemini CLI notes a project's folder beside its chats. */
function projectRoot(path: string): string | null {
  for (const folder of [dirname(dirname(path)), dirname(dirname(dirname(path)))])
    try {
      return readFileSync(join(folder, ".project_root"), "utf8").trim() || null;
    } catch {
      // Not there.
    }
  return null;
}
