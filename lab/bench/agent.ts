/**
 * Plays the agent of a voice or of a real project: somebody reads what the agent would read and calls the tools of
 * memory as it would, turn by turn, through the hooks and the tools of the built program.
 *
 *   bun lab/bench/agent.ts open DIR SOURCE [--binary FILE] [--config FILE]
 *   bun lab/bench/agent.ts next DIR                  # ends the open turn and shows the next one; nothing: all is played
 *   bun lab/bench/agent.ts call DIR TOOL JSON        # calls a tool in the open turn, and shows its answer
 *   bun lab/bench/agent.ts tools DIR                 # what the agent is told of the tools
 *   bun lab/bench/agent.ts score DIR                 # of a voice: the facts that its user said and that hold, and which are kept
 *
 * SOURCE is a `.voice` file, or a project's folder of transcripts. DIR holds the home, `calls.jsonl`
 * with every call, and after `score` `memories.json`; with a real project it lies outside of this repository.
 *
 *   said    facts that the user said and that nothing replaced later; saved: of them, those that a memory tells
 *   stale   replaced values that a memory tells as current
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readVoice } from "../train/voice.ts";
import { call, callsIn, readPlay, step, writePlay } from "./agent/play.ts";
import { measuredProgram, optionsOf } from "../options.ts";
import { openSubject } from "./home/program.ts";
import { savedIn } from "./voices/score.ts";

const repository = resolve(import.meta.dir, "../..");
const { words, option } = optionsOf(process.argv.slice(2), ["binary", "config"]);
const [verb = "", folder = "", ...rest] = words;
const usage = "usage: bun lab/bench/agent.ts open|next|call|tools|score DIR …\n";

const subjectIn = (binary: string, config: string | null = null) =>
  openSubject({ binary, root: folder, config, playedUrl: null });

function open([source]: readonly string[]): string {
  if (source === undefined) return usage;
  if (!source.endsWith(".voice") && `${resolve(folder)}/`.startsWith(`${repository}/`))
    return "real text stays out of this repository: name a folder elsewhere\n";
  mkdirSync(folder, { recursive: true });
  const binary = measuredProgram();
  writePlay(folder, { source: resolve(source), binary, session: 0, event: 0 });
  subjectIn(binary, option("config"));
  return "";
}

async function score(): Promise<string> {
  const { source, binary } = readPlay(folder);
  const memories = await subjectIn(binary).memories();
  writeFileSync(join(folder, "memories.json"), `${JSON.stringify(memories, null, 1)}\n`);
  const calls = callsIn(folder);
  const counts = { memories: memories.length, calls: calls.length };
  if (!source.endsWith(".voice")) return `${JSON.stringify(counts)}\n`;
  return `${JSON.stringify({ ...counts, ...savedIn(readVoice(source), memories) }, null, 1)}\n`;
}

async function answer(): Promise<string> {
  if (folder === "") return usage;
  if (verb === "open") return open(rest);
  const subject = subjectIn(readPlay(folder).binary);
  if (verb === "next") return step(subject, folder);
  if (verb === "tools") return subject.tools();
  if (verb === "score") return score();
  const [tool = "", input = "{}"] = rest;
  if (verb !== "call") return usage;
  return `${await call(subject, folder, [tool, JSON.parse(input) as Record<string, unknown>])}\n`;
}

process.stdout.write(await answer());
