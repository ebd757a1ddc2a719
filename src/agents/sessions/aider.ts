/**
 * Chats of aider: a project's `.aider.chat.history.md`, Markdown of many chats. Lines that begin with `####` are the
 * user's, with `>` the program's, all others the model's. There is no time but that of each chat's start.
 */
import { parseNow, sha256 } from "#kit";
import type { TranscriptEntry } from "#claude-code";
import { answerEntry, promptEntry, toolEntries, type AgentSession } from "./entries.ts";

const head = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)[ \t]*$/gm;

/** A chat of the file, and how much of the file it is. */
export interface AiderChat {
  readonly session: AgentSession;
  readonly chars: number;
}

/** `folder` is the project's. Chats in which nothing was asked are left out. */
export function readAider(text: string, folder: string): readonly AiderChat[] {
  const heads = [...text.matchAll(head)];
  return heads.flatMap((found, at) => {
    const body = text.slice(found.index + found[0].length, heads[at + 1]?.index);
    // Chats of the same second have the same head.
    const again = heads.slice(0, at).filter(([line]) => line.trim() === found[0].trim()).length;
    const session = {
      id: sha256([folder, found[1], found[2], again].join("\n")).slice(0, 16),
      isSubagent: false,
      cwd: folder,
      branch: null,
      // Local time, as aider writes it.
      startedAtMs: parseNow(`${found[1]}T${found[2]}`),
    };
    const entries = entriesOf(session, body);
    return entries.some(({ type }) => type === "prompt")
      ? [{ session: { ...session, entries }, chars: body.length }]
      : [];
  });
}

type Said = "user" | "program" | "model";

/** Neighbouring lines of one speaker, without their marks. */
function paragraphs(body: string): readonly { readonly by: Said; readonly text: string }[] {
  const found: { by: Said; lines: string[] }[] = [];
  for (const line of body.split("\n")) {
    const by: Said = /^####(?: |$)/.test(line)
      ? "user"
      : /^>(?: |$)/.test(line)
        ? "program"
        : "model";
    const words = line.replace(/^(?:####|>) ?/, by === "model" ? "$&" : "").trimEnd();
    const last = found.at(-1);
    if (last?.by === by) last.lines.push(words);
    else found.push({ by, lines: [words] });
  }
  return found
    .map(({ by, lines }) => ({ by, text: lines.join("\n").trim() }))
    .filter(({ text }) => text !== "");
}

/** Commands that say something to the model; all others steer the program. */
const spoken = /^\/(?:ask|code|architect|context)\s+/;

function entriesOf(
  session: Omit<AgentSession, "entries">,
  body: string,
): readonly TranscriptEntry[] {
  return paragraphs(body).flatMap(({ by, text }, at): readonly TranscriptEntry[] => {
    const place = { line: at + 1, atMs: session.startedAtMs };
    if (by === "model") return [answerEntry(place, text)];
    if (by === "user") {
      const words = text.replace(spoken, "");
      const isCommand = /^[/!]/.test(words);
      return isCommand
        ? []
        : [promptEntry(place, { text: words, promptId: null, isQueued: false, session })];
    }
    return [...text.matchAll(/^Applied edit to (.+)$/gm)].flatMap(([, file = ""], n) =>
      toolEntries(place, {
        id: `${at}:${n}`,
        tool: "Edit",
        target: file,
        files: [`${session.cwd}/${file}`],
        error: null,
      }),
    );
  });
}
