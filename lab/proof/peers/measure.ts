/** Lives through a peer's sessions by the hooks of the built program and counts what later prompts are given and find. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tokensOf } from "#kit";
import { openSubject } from "../../bench/home/program.ts";
import { replay } from "../../bench/voices/replay.ts";
import type { Voice } from "../../train/voice.ts";
import { findIn } from "../find.ts";
import { givenTo } from "../given.ts";
import type { PeerTask } from "./sets.ts";

const firstMs = Date.parse("2026-11-02T09:00:00Z");
const betweenMs = 3_600_000;
const dayMs = 86_400_000;
const places = 5;

function voiceOf(name: string, tasks: readonly PeerTask[]): Voice {
  return {
    name,
    projects: new Map(tasks.map(({ project }) => [project, `example.com/peers/${project}`])),
    sessions: tasks.map(({ id, project, turns, answer }, n) => ({
      id,
      project,
      startMs: firstMs + n * betweenMs,
      turns: turns.map((prompt) => ({ prompt, answer, tools: [], facts: [], forbidden: [] })),
    })),
    probes: [],
    facts: new Map(),
  };
}

/** The place of a task's anchor. */
interface Row {
  readonly id: string;
  readonly first: boolean;
  readonly amongFive: boolean;
  readonly start: boolean;
  readonly prompt: boolean;
  readonly tokens: number;
}

/** The form in which angle brackets are told. */
const told = (text: string): string => text.toLowerCase().replaceAll("<", "‹").replaceAll(">", "›");

/** An anchor of this length is a word of its own; a longer one may go on ("summar" in "summaries"). */
const wordCharsMax = 4;

/** Does a text hold an anchor, at the beginning of a word? */
export function holds(text: string, anchor: string): boolean {
  const known = RegExp.escape(told(anchor));
  const end = anchor.length > wordCharsMax ? "" : "(?![a-z0-9])";
  return new RegExp(`(?<![a-z0-9])${known}${end}`, "u").test(told(text));
}

export async function measurePeer(name: string, tasks: readonly PeerTask[], binary: string) {
  const root = mkdtempSync(join(tmpdir(), "continuity-peers-"));
  const subject = openSubject({ binary, root, config: null, playedUrl: null });
  try {
    await replay(subject, voiceOf(name, tasks));
    const rows: Row[] = [];
    for (const [n, task] of tasks.entries()) {
      const atMs = firstMs + tasks.length * betweenMs + dayMs + n;
      const { start, prompt } = await givenTo(subject, {
        name: task.id,
        project: task.project,
        prompt: task.probe,
        atMs,
      });
      await subject.back();
      const place = { binary, home: subject.home, project: task.project, atMs };
      const found = findIn(place, task.probe);
      const isIn = (text: string): boolean => holds(text, task.anchor);
      rows.push({
        id: task.id,
        first: found.slice(0, 1).some(isIn),
        amongFive: found.slice(0, places).some(isIn),
        start: isIn(start),
        prompt: isIn(prompt),
        tokens: tokensOf(start) + tokensOf(prompt),
      });
    }
    const count = (of: (row: Row) => boolean): number => rows.filter(of).length;
    return {
      tasks: rows.length,
      find_first: count(({ first }) => first),
      find_among_five: count(({ amongFive }) => amongFive),
      given_at_start: count(({ start }) => start),
      given_with_prompt: count(({ prompt }) => prompt),
      given: count(({ start, prompt }) => start || prompt),
      tokens: Math.round(rows.reduce((sum, { tokens }) => sum + tokens, 0) / rows.length),
      rows,
    };
  } finally {
    await subject.stop();
    rmSync(root, { recursive: true, force: true });
  }
}
