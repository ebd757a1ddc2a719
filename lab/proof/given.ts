/** Texts that the program's hooks put before the agent of a new session: at its start and with its first prompt. */
import { join } from "node:path";
import type { Subject } from "../bench/home/subject.ts";

export interface Asked {
  readonly name: string;
  readonly project: string;
  readonly prompt: string;
  readonly atMs: number;
}

export interface Given {
  readonly start: string;
  readonly prompt: string;
}

/** A person reads the start of a session before they type. */
const readingMs = 3_000;
/** A hook gives up after 250 ms: on a busy machine that is no silence of the memory, and it is asked again. */
const lateMs = 240;
const triesMax = 20;

/** Each is asked of the memory as it was saved, since prompts are remembered too. */
export async function givenTo(
  subject: Subject,
  { name, project, prompt: typed, atMs }: Asked,
): Promise<Given> {
  const cwd = join(subject.home, project);
  for (let tries = 1; ; tries += 1) {
    await subject.back();
    const session = {
      session_id: `${name}-${tries}`,
      cwd,
      transcript_path: join(subject.home, `${name}-${tries}.jsonl`),
    };
    const start = await subject.hook(
      { ...session, hook_event_name: "SessionStart", source: "startup" },
      atMs,
    );
    const asked = { prompt_id: "p1", permission_mode: "default", prompt: typed };
    const sentMs = performance.now();
    const prompt = await subject.hook(
      { ...session, ...asked, hook_event_name: "UserPromptSubmit" },
      atMs + readingMs,
    );
    const isLate = prompt === "" && performance.now() - sentMs > lateMs;
    if (!isLate) return { start, prompt };
    if (tries === triesMax) throw new Error(`${name}: the machine is too busy to be asked`);
  }
}
