/** Lives through the earlier sessions of two projects by the hooks of the built program, and asks what it gives with a task. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSubject } from "../../bench/home/program.ts";
import type { Subject } from "../../bench/home/subject.ts";
import { replay } from "../../bench/voices/replay.ts";
import { readVoice, type Voice } from "../../train/voice.ts";
import { givenTo } from "../given.ts";
import { writeFiles, type Task } from "./task.ts";

/** One developer works on two projects: each is the other's distraction. */
export const homesOf = (tasks: readonly Task[]): readonly (readonly Task[])[] => {
  const half = Math.ceil(tasks.length / 2);
  return tasks.slice(0, half).map((task, n) => [task, ...tasks.slice(half + n, half + n + 1)]);
};

export function voiceOf(tasks: readonly Task[], folder: string): Voice {
  const path = join(folder, `${tasks.map(({ project }) => project).join("-")}.voice`);
  const projects = tasks.map(({ project, remote }) => `project ${project} ${remote}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, [...projects, "", ...tasks.map(({ sessions }) => sessions)].join("\n"));
  return readVoice(path);
}

export interface HomeOptions {
  readonly binary: string;
  readonly root: string;
  /** Null = no model is asked. */
  readonly playedUrl: string | null;
}

export async function liveHome(tasks: readonly Task[], options: HomeOptions): Promise<Subject> {
  const subject = openSubject({ ...options, config: null });
  await replay(subject, voiceOf(tasks, options.root));
  return subject;
}

/** The texts that the hooks put before the agent of a task. */
export async function textFor(subject: Subject, task: Task): Promise<string> {
  const { name, project, prompt: typed, atMs } = task;
  writeFiles(join(subject.home, project), task.files);
  const { start, prompt } = await givenTo(subject, { name, project, prompt: typed, atMs });
  return [start, prompt].filter((text) => text !== "").join("\n\n");
}
