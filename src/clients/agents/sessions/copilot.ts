/**
 * Sessions of Copilot CLI: `session-state/<id>/events.jsonl`. Lines about hooks hold what was injected, and are not
 * read; subagents speak in the same file and are marked.
 */
import { textField, type Json } from "#kit";
import type { TranscriptEntry } from "../../claude-code/transcript/entry.ts";
import { patchIn, filesOfPatch, toolName } from "../hook.ts";
import { agentSpecs } from "../spec.ts";
import {
  answerEntry,
  filesIn,
  type Place,
  promptEntry,
  recordAt,
  recordsOf,
  targetIn,
  timeAt,
  toolEntries,
  type AgentSession,
} from "./entries.ts";

/** Null for a file that is no session. */
export function readCopilot(text: string): AgentSession | null {
  const records = recordsOf(text);
  const head = records.find(({ record }) => record["type"] === "session.start");
  if (head === undefined) return null;
  const facts = recordAt(head.record, "data");
  const id = textField(facts, "sessionId");
  if (id === null) return null;
  const context = recordAt(facts, "context");
  const session = {
    id,
    isSubagent: false,
    cwd: textField(context, "cwd"),
    branch: textField(context, "branch"),
    startedAtMs: timeAt(facts, "startTime"),
  };
  const done = new Map(
    records
      .filter(({ record }) => record["type"] === "tool.execution_complete")
      .map(({ record }) => {
        const data = recordAt(record, "data");
        return [textField(data, "toolCallId") ?? "", data] as const;
      }),
  );
  const entries = records.flatMap(({ line, record }): readonly TranscriptEntry[] => {
    if (textField(record, "agentId") !== null) return [];
    const data = recordAt(record, "data");
    const place = { line, atMs: timeAt(record, "timestamp") };
    const content = textField(data, "content") ?? "";
    switch (record["type"]) {
      case "user.message": {
        const isQueued = data["delivery"] === "steering";
        return content.trim() === ""
          ? []
          : [promptEntry(place, { text: content, promptId: null, isQueued, session })];
      }
      case "assistant.message":
        return content.trim() === "" ? [] : [answerEntry(place, content)];
      case "tool.execution_start":
        return toolOf(place, { data, done, cwd: session.cwd });
      default:
        return [];
    }
  });
  return { ...session, entries };
}

function toolOf(
  place: Place,
  {
    data,
    done,
    cwd,
  }: {
    readonly data: Json;
    readonly done: ReadonlyMap<string, Json>;
    readonly cwd: string | null;
  },
): readonly TranscriptEntry[] {
  const id = textField(data, "toolCallId") ?? `line-${place.line}`;
  const name = textField(data, "toolName") ?? "unknown";
  const args = recordAt(data, "arguments");
  const patch = patchIn(data["arguments"]);
  const files = patch === null ? filesIn(args) : filesOfPatch(patch.replaceAll("\\n", "\n"), cwd);
  return toolEntries(place, {
    id,
    tool: toolName(agentSpecs.copilot, name),
    target: targetIn(args) ?? files[0] ?? null,
    files,
    input: args,
    error: errorOf(done.get(id) ?? {}),
  });
}

function errorOf(result: Json): string | null {
  const exit = recordAt(result, "shellExecution")["exitCode"];
  const failed = typeof exit === "number" && exit !== 0 ? `exit code ${exit}` : null;
  return textField(recordAt(result, "error"), "message") ?? failed;
}
