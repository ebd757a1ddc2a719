/**
 * Lives through a real project: imports the first part of its history, then sends the rest through the hooks as the
 * client would, and writes down what was given.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeRepository } from "../home/repository.ts";
import type { ListedMemory, Subject } from "../home/subject.ts";
import { send } from "../voices/replay.ts";
import { folderName, type Script, type ScriptedEvent } from "../voices/script.ts";
import { readRealSession, type RealSession, type RealTurn } from "./turns.ts";

/** The result of one project, as it is written to OUT/NAME.json: real text, for judges' eyes only. */
export interface Lived {
  readonly import: string;
  readonly memories: readonly ListedMemory[];
  /** After the last session. */
  readonly memoriesAtEnd: readonly ListedMemory[];
  readonly starts: readonly { readonly session: string; readonly text: string }[];
  readonly prompts: readonly {
    readonly session: string;
    readonly prompt: string;
    readonly given: string;
  }[];
}

/** Counts that need no judge. */
export interface RealCounts {
  readonly project: string;
  readonly sessions: number;
  readonly prompts_imported: number;
  readonly memories: number;
  readonly memories_per_prompt: number;
  readonly prompts: number;
  /** Shares of prompts that were given something: of all, and of orders of three words or fewer. */
  readonly injected: number;
  readonly injected_short: number;
  readonly tokens: number;
  readonly start_tokens: number;
  /** Lines that a session was given again. */
  readonly twice: number;
}

export interface LiveLimits {
  readonly minSessions: number;
  /** The share of the sessions that are history. */
  readonly share: number;
  readonly maxPrompts: number;
}

/** The sessions of a project, in the order of time; those in which nobody typed are left out. */
export const sessionsIn = (folder: string): readonly RealSession[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readRealSession(join(folder, name)))
    .filter(({ turns }) => turns.length > 0)
    .toSorted((a, b) => firstMs(a) - firstMs(b));

const firstMs = ({ turns }: RealSession): number => turns[0]?.atMs ?? 0;

/** `-home-dev-api` → `api`; other folders keep their name. */
export const projectName = (folder: string): string =>
  basename(folder).replace(/^-(?:home-dev-)?/, "");

export interface Past {
  readonly name: string;
  /** In the order of time. */
  readonly sessions: readonly RealSession[];
  /** The folder in which copies of the history may lie. */
  readonly scratch: string;
}

const inJson = (path: string): string => JSON.stringify(path).slice(1, -1);
const isWithin = (root: string, folder: string): boolean =>
  folder === root || (folder.startsWith(root) && /[\\/]/.test(folder.charAt(root.length)));

/** The folders in which sessions were started, without those within another; the longest first. */
function rootsOf(sessions: readonly RealSession[]): readonly string[] {
  const starts = new Set(sessions.flatMap(({ folders }) => folders.slice(0, 1)));
  return [...starts]
    .filter((one) => ![...starts].some((other) => other !== one && isWithin(other, one)))
    .toSorted((a, b) => b.length - a.length);
}

/** `movedTo` gives the present place of a working folder; null for one outside of the project. */
function movedTo(cwd: string, roots: readonly string[], folder: string): string | null {
  const root = roots.find((one) => isWithin(one, folder));
  return root === undefined ? null : join(cwd, folder.slice(root.length).replaceAll("\\", "/"));
}

const msAfter = { tool: 15_000, answer: 30_000, end: 60_000 } as const;
const msBeforeFirst = 1_000;

/** A session as if it had been lived in another folder, with its transcript. */
type LocalSession = RealSession & { readonly text: string };

/** Makes the project's folder in a home; returns it, and each session as if it had been lived there. */
export function settle({ name, sessions }: Omit<Past, "scratch">, home: string) {
  const cwd = join(home, name);
  makeRepository(cwd, `git@example.com:dev/${name}.git`);
  const roots = rootsOf(sessions);
  const moved = (text: string): string =>
    roots.reduce(
      (all, root) =>
        all.replaceAll(new RegExp(`${RegExp.escape(inJson(root))}(?![\\w-])`, "g"), cwd),
      text,
    );
  const local = (session: RealSession): LocalSession => {
    // A session in a subfolder belongs to the project only while that folder is there, in its repository.
    for (const folder of session.folders)
      mkdirSync(movedTo(cwd, roots, folder) ?? cwd, { recursive: true });
    return {
      ...session,
      turns: JSON.parse(moved(JSON.stringify(session.turns))) as RealSession["turns"],
      text: moved(readFileSync(session.path, "utf8")),
    };
  };
  return { cwd, local };
}

export async function live(subject: Subject, past: Past, limits: LiveLimits): Promise<Lived> {
  const { sessions, scratch } = past;
  const { cwd, local } = settle(past, subject.home);
  const cut = Math.floor(sessions.length * limits.share);
  const history = join(scratch, folderName(cwd));
  mkdirSync(history, { recursive: true });
  for (const session of sessions.slice(0, cut))
    writeFileSync(join(history, basename(session.path)), local(session).text);
  const lastMs = sessions[cut - 1]?.turns.at(-1)?.atMs ?? 0;
  const report = await subject.importFrom(scratch, lastMs + msAfter.end);
  await subject.flush();
  const memories = await subject.memories();
  const seen = new Set(
    sessions.slice(0, cut).flatMap(({ turns }) => turns.map(({ uuid }) => uuid)),
  );
  const starts: { session: string; text: string }[] = [];
  const prompts: { session: string; prompt: string; given: string }[] = [];
  for (const session of sessions.slice(cut)) {
    if (prompts.length >= limits.maxPrompts) break;
    // A resumed session repeats the lines of the one before.
    const here = local(session);
    const turns = here.turns.filter(({ uuid }) => uuid === null || !seen.has(uuid));
    for (const { uuid } of turns) seen.add(uuid);
    if (turns.length === 0) continue;
    const given = await liveSession(subject, {
      cwd,
      lines: here.text.split("\n"),
      session,
      turns,
    });
    starts.push({ session: given.sessionId, text: given.start });
    prompts.push(...given.prompts);
  }
  const memoriesAtEnd = await subject.memories();
  return { import: report.slice(-2_000), memories, memoriesAtEnd, starts, prompts };
}

interface Living {
  readonly cwd: string;
  readonly lines: readonly string[];
  readonly session: RealSession;
  readonly turns: readonly RealTurn[];
}

/** The client's hooks tell of a failure in words. */
function errorOf(response: unknown): string {
  const text = (response as { readonly text?: unknown } | null)?.text;
  return typeof text === "string" ? text : JSON.stringify(response);
}

/** A real session as the client's hooks tell it, in the folder `cwd` of a home. */
export function scriptOfReal(home: string, { cwd, lines, session, turns }: Living): Script {
  const sessionId = basename(session.path, ".jsonl");
  const transcriptPath = join(home, ".claude", "projects", folderName(cwd), `${sessionId}.jsonl`);
  const base = { session_id: sessionId, cwd, transcript_path: transcriptPath };
  const events: ScriptedEvent[] = [];
  let written = 0;
  let { branch = null } = turns[0] ?? {};
  const send = (event: string, more: object, atMs: number): void =>
    void events.push({
      atMs,
      payload: { ...base, hook_event_name: event, ...more },
      lines: written,
      branch,
    });
  send("SessionStart", { source: "startup" }, (turns[0]?.atMs ?? 0) - msBeforeFirst);
  for (const turn of turns) {
    // An older client (2.1.34) names prompts neither in its hooks nor in its transcripts.
    const named = turn.promptId === null ? {} : { prompt_id: turn.promptId };
    const common = { ...named, permission_mode: "default" };
    written = turn.line;
    branch = turn.branch;
    const { prompt, atMs } = turn;
    send("UserPromptSubmit", { ...common, prompt }, atMs);
    for (const { id: use, name, input, response, failed } of turn.tools) {
      const called = { ...common, tool_name: name, tool_input: input, tool_use_id: use };
      const came = failed
        ? { error: errorOf(response).slice(0, 2_000), is_interrupt: false }
        : { tool_response: response };
      const event = failed ? "PostToolUseFailure" : "PostToolUse";
      send(event, { ...called, ...came }, atMs + msAfter.tool);
    }
    written = turn.end;
    const said = { stop_hook_active: false, last_assistant_message: turn.answer };
    send("Stop", { ...common, ...said }, atMs + msAfter.answer);
  }
  const lastMs = turns.at(-1)?.atMs ?? 0;
  send("SessionEnd", { reason: "prompt_input_exit" }, lastMs + msAfter.end);
  return { sessionId, project: basename(cwd), cwd, transcriptPath, transcript: lines, events };
}

async function liveSession(subject: Subject, living: Living) {
  const script = scriptOfReal(subject.home, living);
  const { sessionId } = script;
  let start = "";
  const prompts: { session: string; prompt: string; given: string }[] = [];
  for (const event of script.events) {
    const given = await send(subject, script, event);
    const { hook_event_name: name, prompt } = event.payload;
    if (name === "SessionStart") start = given;
    if (name === "UserPromptSubmit")
      prompts.push({ session: sessionId, prompt: String(prompt), given });
  }
  await subject.flush();
  return { sessionId, start, prompts };
}

const tokensOf = (text: string): number => Math.round(text.length / 4);
const ratio = (part: number, whole: number, digits: number): number =>
  Number((part / Math.max(1, whole)).toFixed(digits));
const sum = (figures: readonly number[]): number => figures.reduce((total, one) => total + one, 0);

export function countsOf({ name, sessions }: Past, lived: Lived, limits: LiveLimits): RealCounts {
  const { memories, prompts, starts } = lived;
  const imported = sessions.slice(0, Math.floor(sessions.length * limits.share));
  const typed = sum(imported.map(({ turns }) => turns.length));
  const given = prompts.filter((one) => one.given !== "");
  const short = prompts.filter(({ prompt }) => prompt.split(/\s+/u).length <= 3);
  const lines = given.flatMap((one) =>
    one.given
      .split("\n")
      .flatMap((line) => (line.startsWith("- ") ? [`${one.session} ${line}`] : [])),
  );
  return {
    project: name,
    sessions: sessions.length,
    prompts_imported: typed,
    memories: memories.length,
    memories_per_prompt: ratio(memories.length, typed, 2),
    prompts: prompts.length,
    injected: ratio(given.length, prompts.length, 3),
    injected_short: ratio(short.filter((one) => one.given !== "").length, short.length, 3),
    tokens: ratio(sum(given.map((one) => tokensOf(one.given))), given.length, 0),
    start_tokens: ratio(sum(starts.map(({ text }) => tokensOf(text))), starts.length, 0),
    twice: lines.length - new Set(lines).size,
  };
}
