/** `memory_remember`: saved in the agent's name, unless the words are the user's own of this prompt. */
import type { z } from "zod";
import { renderAct } from "#memory";
import { ToolFailure } from "./client.ts";
import type { rememberInput } from "./schemas.ts";
import type { Tools } from "./tool.ts";

const sentences = {
  created: "Remembered:",
  merged: "Merged into an existing memory:",
  superseded: "Remembered, replacing an older memory:",
  known: "Known already:",
} as const;

/** What an agent finds worth keeping counts less than what a user asks for by name. */
const importanceDefault = 3;

/** Resolves to what became of it and where it lies. */
export async function rememberText(
  { clients, project, session, whyNotKept }: Tools,
  input: z.output<typeof rememberInput>,
): Promise<string> {
  const reason = whyNotKept();
  if (reason !== null)
    throw new ToolFailure(
      `Nothing was stored: ${reason}. The user can save it with \`continuity remember\`.`,
    );
  const api = await clients.write();
  const answer = await api.memories.$post({
    json: {
      text: input.text.toWellFormed(),
      category: input.category ?? null,
      project: input.everywhere === true ? null : project(),
      tags: [],
      importance: input.importance ?? importanceDefault,
      session,
      by: "agent",
    },
  });
  const { action, memory, redactions, cut_characters: cut } = await answer.json();
  const secrets = redactions === 0 ? "" : `\nRedacted secrets: ${redactions}.`;
  const rest = cut === 0 ? "" : `\nToo long for one memory: the last ${cut} characters were cut.`;
  return `${renderAct(sentences[action], [memory])}${secrets}${rest}`;
}
