/** Lives through a voice by its hooks, then asks its probes, each in a session of its own over the same memory. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Voice } from "../../train/voice.ts";
import { checkOut, makeRepository } from "../home/repository.ts";
import type { Subject } from "../home/subject.ts";
import { countProbe, type Answered, type Counted } from "./score.ts";
import { scriptOf, type Script, type ScriptedEvent } from "./script.ts";

/** So many probes see the memory that the sessions left; then it is put back, since prompts are remembered too. */
const probesPerReset = 10;
/** A person reads the start of a session before they type. */
const readingMs = 3_000;

export const remoteOf = (voice: Voice, project: string): string | null => {
  const remote = voice.projects.get(project) ?? null;
  if (remote === null || !remote.includes("/")) return null;
  const slash = remote.indexOf("/");
  return `git@${remote.slice(0, slash)}:${remote.slice(slash + 1)}.git`;
};

/** Writes what there is of the transcript by then, and hands the event over. */
export function send(subject: Subject, script: Script, event: ScriptedEvent): Promise<string> {
  const { atMs, branch = null, payload } = event;
  if (branch !== null) checkOut(script.cwd, branch);
  writeTranscript(script, event);
  return subject.hook(payload, atMs);
}

/** Writes the transcript as far as it goes by an event. */
export function writeTranscript({ transcript, transcriptPath }: Script, { lines }: ScriptedEvent) {
  mkdirSync(dirname(transcriptPath), { recursive: true });
  const written = transcript.slice(0, lines).map((line) => `${line}\n`);
  writeFileSync(transcriptPath, written.join(""));
}

export async function replay(subject: Subject, voice: Voice): Promise<void> {
  for (const session of voice.sessions) {
    const script = scriptOf(voice, session, subject.home);
    makeRepository(script.cwd, remoteOf(voice, script.project));
    for (const event of script.events) await send(subject, script, event);
    await subject.flush();
  }
  await subject.save();
}

export async function askProbes(subject: Subject, voice: Voice): Promise<readonly Counted[]> {
  const rows: Counted[] = [];
  for (const [n, probe] of voice.probes.entries()) {
    if (n % probesPerReset === 0) await subject.back();
    const cwd = join(subject.home, probe.project);
    makeRepository(cwd, remoteOf(voice, probe.project));
    const session = {
      session_id: `probe-${voice.name}-${n + 1}`,
      cwd,
      transcript_path: join(subject.home, `none-${n + 1}.jsonl`),
    };
    const start = await subject.hook(
      { ...session, hook_event_name: "SessionStart", source: "startup" },
      probe.atMs,
    );
    const asked = {
      hook_event_name: "UserPromptSubmit",
      prompt_id: `p${n + 1}`,
      permission_mode: "default",
      prompt: probe.prompt.replaceAll("/home/dev", subject.home),
    };
    const given = await subject.hook({ ...session, ...asked }, probe.atMs + readingMs);
    const answered: Answered = { probe, start, given };
    rows.push(countProbe(voice, answered));
  }
  return rows;
}
