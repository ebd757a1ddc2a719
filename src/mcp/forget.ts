/** `memory_forget`: ends memories where the user's typed words prove it; deletion for good is the user's own. */
import type { z } from "zod";
import type { EndedJson } from "#api";
import { renderAct } from "#memory";
import type { forgetInput } from "./schemas.ts";
import type { Tools } from "./tool.ts";

/** Resolves to what ended and how to undo it, what waits for review and why, and what deletes for good. */
export async function forgetMemories(
  { agent, clients, project, session }: Tools,
  { ids, quote }: z.output<typeof forgetInput>,
): Promise<string> {
  const api = await clients.write();
  const answer = await api.memories.end.$post({
    json: {
      names: [...new Set(ids)],
      quote: quote.toWellFormed(),
      session,
      agent,
      home: project(),
    },
  });
  return answerOf(await answer.json());
}

function answerOf({ ended, waiting, words }: EndedJson): string {
  const parts: string[] = [];
  if (ended.length > 0)
    parts.push(
      renderAct(
        "Ended; `continuity undo` brings back what was ended in this turn:",
        ended.map(named),
      ),
    );
  for (const one of waiting)
    parts.push(
      renderAct(`Not ended, it waits in \`continuity review\` (${one.reason}):`, [named(one)]),
    );
  if (words.length > 0) {
    const held = words.map(({ word, held: records }) => `"${word}" (${records})`).join(", ");
    parts.push(`Records still hold rare words of it: ${held}.`);
  }
  if (ended.length > 0) {
    const all = [...ended.map(({ id }) => `'${id}'`), ...words.map(({ uri }) => uri)].join(" ");
    parts.push(`To delete for good the user runs \`continuity forget ${all}\`.`);
  }
  return parts.join("\n");
}

const named = ({ id, l0 }: EndedJson["ended"][number]) => ({ uri: id, l0 });
