/** Lives through a voice in this process, as the daemon would, and hands over the store as it is then. */
import type { Embedder } from "#domain";
import { loadEmbeddedModel } from "#embed";
import { openTestWorker, type TestWorker } from "../../test/support/worker.ts";
import type { Voice } from "./voice.ts";

export type Lived = TestWorker & { readonly projectKey: (name: string) => string };

/** The model that is shipped. */
export function shippedEmbedder(): Embedder {
  const loaded = loadEmbeddedModel();
  if (!loaded.ok) throw new Error(loaded.error.type);
  return loaded.value;
}

export async function live(voice: Voice, embedder: Embedder): Promise<Lived> {
  const projectKey = (name: string): string => voice.projects.get(name) ?? `dir:${name}`;
  const lived = openTestWorker({
    embedder,
    startMs: voice.sessions[0]?.startMs ?? 0,
    projectOf: (cwd) => {
      const name = cwd.slice(cwd.lastIndexOf("/") + 1);
      return { key: projectKey(name), name, root: cwd, branch: "main" };
    },
    transcripts: { read: async () => null },
  });
  for (const { id, project, startMs, turns } of voice.sessions) {
    const common = { session_id: `${voice.name}-${id}`, cwd: `/home/dev/${project}` };
    let atMs = startMs;
    lived.send("start", "SessionStart", { ...common, source: "startup" }, { atMs });
    for (const [n, { prompt, answer }] of turns.entries()) {
      const turn = { ...common, prompt_id: `${id}-${n}` };
      atMs += 90_000;
      lived.send("submit", "UserPromptSubmit", { ...turn, prompt }, { atMs });
      atMs += 20_000;
      const said = { stop_hook_active: false, last_assistant_message: answer };
      lived.send("stop", "Stop", { ...turn, ...said }, { atMs });
    }
    lived.send("end", "SessionEnd", { ...common, reason: "prompt_input_exit" }, { atMs });
    await lived.settle();
  }
  return { ...lived, projectKey };
}
