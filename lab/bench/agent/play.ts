/**
 * A session played by somebody in the agent's place: each step shows a turn as the agent meets it, the tools of memory
 * are called for real, and the turn ends with the next step. What is played is kept in a folder between steps.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseTranscriptLine, turnsOf } from "#clients";
import { readVoice } from "../../train/voice.ts";
import { makeRepository } from "../home/repository.ts";
import type { Subject } from "../home/subject.ts";
import { projectName, scriptOfReal, sessionsIn, settle } from "../real/live.ts";
import { remoteOf, send, writeTranscript } from "../voices/replay.ts";
import { scriptOf, type Script, type ScriptedEvent } from "../voices/script.ts";

/** The state of a play. */
export interface Play {
  /** A `.voice` file, or a folder of a real project's transcripts. */
  readonly source: string;
  readonly binary: string;
  /** Session and event that come next, from 0. */
  readonly session: number;
  readonly event: number;
}

const fileOf = (folder: string): string => join(folder, "play.json");

export const readPlay = (folder: string): Play =>
  JSON.parse(readFileSync(fileOf(folder), "utf8")) as Play;

export const writePlay = (folder: string, play: Play): void =>
  writeFileSync(fileOf(folder), `${JSON.stringify(play)}\n`);

/** The sessions of a source as hooks tell them, in the order of time. */
export function scriptsOf(source: string, home: string): readonly (() => Script)[] {
  if (source.endsWith(".voice")) {
    const voice = readVoice(source);
    return voice.sessions.map((session) => () => {
      const script = scriptOf(voice, session, home);
      makeRepository(script.cwd, remoteOf(voice, script.project));
      return script;
    });
  }
  const sessions = sessionsIn(resolve(source));
  const { cwd, local } = settle({ name: projectName(basename(source)), sessions }, home);
  const seen = new Set<string>();
  return sessions.flatMap((session) => {
    // A resumed session repeats the lines of the one before.
    const turns = session.turns.filter(({ uuid }) => uuid === null || !seen.has(uuid));
    for (const { uuid } of turns) if (uuid !== null) seen.add(uuid);
    const read = () => {
      const here = local({ ...session, turns });
      return scriptOfReal(home, {
        cwd,
        lines: here.text.split("\n"),
        session,
        turns: here.turns,
      });
    };
    return turns.length === 0 ? [] : [read];
  });
}

const nameOf = ({ payload }: ScriptedEvent): string => String(payload["hook_event_name"]);

/** Tools of one turn that are shown, and characters of each. */
const toolsMax = 15;
const toolCharsMax = 250;

/** A question to the user, and a refused call, hold what they typed. */
const typedCharsMax = 3_000;

function toolLine({ payload }: ScriptedEvent): string {
  const { tool_name: tool, tool_input: input, tool_response: response, error } = payload;
  const isTyped = tool === "AskUserQuestion" || error !== undefined;
  const charsMax = isTyped ? typedCharsMax : toolCharsMax;
  const came =
    error === undefined ? `=> ${JSON.stringify(response)}` : `FAILED ${JSON.stringify(error)}`;
  return (
    `${String(tool)} ${JSON.stringify(input)}`.slice(0, charsMax) + ` ${came}`.slice(0, charsMax)
  );
}

const section = (title: string, text: string): string =>
  text === "" ? "" : `[${title}]\n${text}\n`;

/** Messages that the user sent while the last turn of the first `lines` lines ran. */
function typedMeanwhile({ transcript }: Script, lines: number): readonly string[] {
  const entries = transcript
    .slice(0, lines)
    .flatMap((line, at) => parseTranscriptLine(line, at + 1));
  const turn = turnsOf(entries, null, { isOver: false }).at(-1);
  return (turn?.prompts ?? []).flatMap(({ queued, text }) => (queued ? [text] : []));
}

/**
 * Ends the turn that stands open and shows the next one: the start text where a session begins, the prompt, what memory
 * gave with it, what the agent did, and its answer. The empty string when all is played.
 */
export async function step(subject: Subject, folder: string): Promise<string> {
  const play = readPlay(folder);
  const scripts = scriptsOf(play.source, subject.home);
  let { session, event } = play;
  const shown: string[] = [];
  const tools: string[] = [];
  for (; session < scripts.length; session += 1, event = 0) {
    const script = scripts[session]?.();
    if (script === undefined) break;
    const { events } = script;
    for (; event < events.length; event += 1) {
      const next = events[event];
      if (next === undefined) break;
      const isStop = nameOf(next) === "Stop";
      if (isStop && shown.length > 0) {
        writePlay(folder, { ...play, session, event });
        // The client writes it as the turn goes on; the answer's line is not told apart.
        writeTranscript(script, next);
        for (const text of typedMeanwhile(script, next.lines))
          shown.push(section("THE USER TYPED WHILE YOU WORKED", text));
        if (tools.length > 0)
          shown.push(section("what you did", tools.slice(0, toolsMax).join("\n")));
        shown.push(section("your answer", String(next.payload["last_assistant_message"])));
        return shown.filter((part) => part !== "").join("\n");
      }
      const given = await send(subject, script, next);
      if (nameOf(next) === "SessionStart") {
        const day = new Date(next.atMs).toISOString().slice(0, 10);
        shown.push(
          `===== session ${session + 1} of ${scripts.length}, ${script.project}, ${day}\n`,
        );
        shown.push(section("start text", given));
      } else if (nameOf(next) === "UserPromptSubmit") {
        shown.push(section("THE USER TYPED", String(next.payload["prompt"])));
        shown.push(section("memory gave with it", given));
      } else if (nameOf(next).startsWith("PostToolUse")) {
        tools.push(
          toolLine(next),
          ...(given === "" ? [] : [section("memory gave beside it", given)]),
        );
      }
    }
    await subject.flush();
  }
  writePlay(folder, { ...play, session, event });
  return "";
}

/** Calls a tool in the turn that stands open. */
export async function call(
  subject: Subject,
  folder: string,
  [name, input]: readonly [name: string, input: Readonly<Record<string, unknown>>],
): Promise<string> {
  const { source, session, event } = readPlay(folder);
  const script = scriptsOf(source, subject.home)[session]?.();
  const open = script?.events[event];
  if (script === undefined || open === undefined) return "no turn is open";
  const { cwd, sessionId } = script;
  const answer = await subject.callTool({ name, input, sessionId, cwd, atMs: open.atMs - 1_000 });
  const turn = script.events.slice(0, event).filter((one) => nameOf(one) === "Stop").length + 1;
  const row = { session: session + 1, sessionId, turn, name, input, answer };
  appendFileSync(join(folder, "calls.jsonl"), `${JSON.stringify(row)}\n`);
  return answer;
}

/** The calls that were made, in order. */
export function callsIn(
  folder: string,
): readonly { readonly name: string; readonly answer: string }[] {
  const path = join(folder, "calls.jsonl");
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { name: string; answer: string });
}
