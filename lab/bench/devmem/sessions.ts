/** The recorded sessions of devmem-bench in this process: replayed into a worker, and its probes asked one by one. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { envelopesOfRequest } from "#hooks";
import { readGold, type Gold } from "../../../test/support/gold-llm.ts";
import type { openTestWorker } from "../../../test/support/worker.ts";

export type App = ReturnType<typeof openTestWorker>;

interface Meta {
  readonly id: string;
  readonly session_id: string;
  readonly project: string;
  readonly remote: string;
  readonly started: string;
}

/** What a probe was given, and how much the gate thought that it wants memory. */
export interface Probed {
  readonly probe_id: string;
  readonly injected_text: string;
  readonly tokens: number;
  readonly probability: number;
}

export interface Sessions {
  readonly gold: Gold;
  /** Recorded session by the client's id. */
  readonly names: ReadonlyMap<string, string>;
  readonly replay: (app: App) => Promise<void>;
  /** Each probe as a new session, undone afterwards. */
  readonly probe: (app: App) => readonly Probed[];
}

type Payload = Readonly<Record<string, unknown>> & { readonly ts: number; readonly cwd: string };

/** `bench`: the folder with `<split>/gold.json` and `<split>/sessions`. */
export function readSessions(bench: string, split: string): Sessions {
  const folder = join(bench, split, "sessions");
  const gold = readGold(join(bench, split, "gold.json"));
  const metas = readdirSync(folder)
    .map((id) => JSON.parse(readFileSync(join(folder, id, "meta.json"), "utf8")) as Meta)
    .toSorted((a, b) => a.started.localeCompare(b.started));

  const identityOf = (project: string) => {
    const meta = metas.find((each) => each.project === project);
    const key = (meta?.remote ?? project)
      .replace(/^git@/, "")
      .replace(":", "/")
      .replace(/\.git$/, "");
    return { key, name: project, root: `/home/dev/${project}`, branch: "main" };
  };

  const send = (
    app: App,
    { ts, _lines, ...payload }: Payload & { readonly _lines?: unknown },
  ): string => {
    const envelopes =
      envelopesOfRequest({
        body: payload,
        event: String(payload["hook_event_name"]),
        nowMs: ts,
        invocation: `${ts}`,
      }) ?? [];
    const project = identityOf(payload.cwd.split("/").at(3) ?? "");
    return envelopes
      .map((envelope) => app.worker.accept([{ ...envelope, project }], "socket")[0]?.context ?? "")
      .join("");
  };

  const replay = async (app: App): Promise<void> => {
    for (const { id } of metas) {
      const lines = readFileSync(join(folder, id, "events.jsonl"), "utf8")
        .split("\n")
        .filter(Boolean);
      for (const line of lines) {
        send(app, JSON.parse(line) as Payload);
        await app.settle();
      }
      app.worker.runDueNow();
      await app.settle();
    }
  };

  const probe = (app: App): readonly Probed[] =>
    gold.probes.map((one) => {
      const common = {
        session_id: `probe-${one.id}`,
        cwd: `/home/dev/${one.project}`,
        ts: Date.parse(`${one.date}T10:00:00Z`),
      };
      const undone = new Error("undo");
      let text = "";
      let probability = 0;
      try {
        app.store.transaction(() => {
          send(app, { ...common, hook_event_name: "SessionStart", source: "startup" });
          const asked = {
            hook_event_name: "UserPromptSubmit",
            prompt_id: one.id,
            prompt: one.prompt,
          };
          text = send(app, { ...common, ...asked, ts: common.ts + 4_000 });
          const [last] = app.store.exposure.injections(common.session_id, 1);
          const { decision } = JSON.parse(last?.reasons ?? "{}") as {
            readonly decision?: { readonly probability: number };
          };
          probability = decision?.probability ?? 0;
          throw undone;
        });
      } catch (error) {
        if (error !== undone) throw error;
      }
      const tokens = Math.ceil(text.length / 4);
      return { probe_id: one.id, injected_text: text, tokens, probability };
    });

  return {
    gold,
    names: new Map(metas.map(({ id, session_id }) => [session_id, id])),
    replay,
    probe,
  };
}
