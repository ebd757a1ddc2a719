/** A memory whose answers are known: for tests of how a bench sends and counts. */
import { mkdirSync } from "node:fs";
import type { Payload, Subject, ToolCall } from "./subject.ts";

export interface ScriptedSubject extends Subject {
  /** The payloads that were handed over, in order. */
  readonly sent: { readonly payload: Payload; readonly atMs: number }[];
  /** Tools that were called, in order. */
  readonly called: ToolCall[];
}

/** `given`: what a prompt is answered with, by its text, or a session's start by the name of its event. */
export function scriptedSubject(
  home: string,
  given: Readonly<Record<string, string>>,
): ScriptedSubject {
  mkdirSync(home, { recursive: true });
  const sent: ScriptedSubject["sent"] = [];
  const called: ToolCall[] = [];
  return {
    home,
    sent,
    called,
    callTool: async (call) => {
      called.push(call);
      return `called ${call.name}`;
    },
    tools: async () => "",
    hook: async (payload, atMs) => {
      sent.push({ payload, atMs });
      return given[String(payload["prompt"] ?? payload["hook_event_name"])] ?? "";
    },
    flush: async () => undefined,
    memories: async () => [],
    importFrom: async () => "{}",
    save: async () => undefined,
    back: async () => undefined,
    stop: async () => undefined,
    stored: () => [],
  };
}
