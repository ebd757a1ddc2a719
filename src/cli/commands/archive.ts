/** `sessions`, `context` and `archive`: what happened, what a session starts with, and transcripts of the past. */
import type { SessionDetailJson, SessionJson } from "#api";
import { counted } from "#kit";
import { agentOf, agentTitles, sessionStatuses } from "#domain";
import type { Context } from "../context.ts";
import { type CommandSpec, type Input, optionText, optionTexts } from "../spec.ts";
import { ageOf, bytesOf, linesOf, safeLine, safeText, timeOf } from "../text.ts";
import { countOption, many, one } from "./filters.ts";
import { misuse } from "../failure.ts";

export const sessionsCommand: CommandSpec = {
  name: "sessions",
  group: "more",
  summary: "List sessions, or show one with its turns",
  arguments: [{ name: "[id]", summary: "session to show: its id, or a unique beginning" }],
  options: [
    { flags: "--project <name>", summary: "only this project (name or key)", many: true },
    { flags: "--status <status>", summary: "only in this state", choices: sessionStatuses },
    { flags: "--limit <n>", summary: "at most n sessions", fallback: "20" },
  ],
  examples: ["continuity sessions", "continuity sessions --project api --json"],
  json: { shape: "one document a line", fields: "SessionJson" },
  run: async (context, input) => {
    const [sessionId] = input.args;
    return sessionId === undefined ? listed(context, input) : shown(context, sessionId);
  },
};

async function listed(context: Context, input: Input): Promise<number | void> {
  const api = await context.api("read");
  const query = {
    ...many("project", optionTexts(input, "project")),
    ...one(
      "status",
      sessionStatuses.find((status) => status === optionText(input, "status")) ?? null,
    ),
    limit: `${countOption(input, "limit", 1_000) ?? 20}`,
  };
  const { items } = await (await api.sessions.$get({ query })).json();
  const short = shortIds(items.map(({ session_id: id }) => id));
  const agent = { title: "AGENT", value: (row: SessionJson) => agentOf(row.session_id) };
  const isMixed = items.some(({ session_id: id }) => agentOf(id) !== "claude");
  context.showAll(items, "No sessions yet.\n", () =>
    context.table(items, [
      { title: "SESSION", value: ({ session_id: id }) => short(id) },
      ...(isMixed ? [agent] : []),
      { title: "LAST EVENT", value: ({ last_event_at: at }) => ageOf(at, context.nowMs) },
      { title: "STATUS", value: ({ status }) => status },
      { title: "PROJECT", value: (row) => row.project_name ?? row.project ?? "-", least: 8 },
      { title: "TITLE", value: ({ title }) => title ?? "(no title)", least: 16 },
    ]),
  );
}

/** As few characters of an id as are typed easily. */
const idCharsMin = 8;

/** Cuts ids so that no two are the same. The agent's name before an id tells none from another: it is left whole. */
function shortIds(ids: readonly string[]): (id: string) => string {
  const short = (id: string, chars: number): string => {
    const agent = agentOf(id);
    return id.slice(0, agent === "claude" ? chars : agent.length + 1 + chars);
  };
  const longest = Math.max(...ids.map((id) => id.length));
  let chars = idCharsMin;
  while (chars < longest && new Set(ids.map((id) => short(id, chars))).size < ids.length)
    chars += 1;
  return (id) => short(id, chars);
}

async function shown(context: Context, sessionId: string): Promise<number | void> {
  const detail = await context.ask("read", (api) =>
    api.sessions[":sessionId"].$get({ param: { sessionId } }),
  );
  context.show(detail, () => renderedSession(context, detail));
}

/** `whoseOf` names the agent of a session, unless it is Claude Code. */
export function whoseOf(sessionId: string): string {
  const agent = agentOf(sessionId);
  return agent === "claude" ? "" : `${agentTitles[agent]} · `;
}

function renderedSession({ style }: Context, detail: SessionDetailJson): string {
  const title = safeLine(detail.title ?? "(no title)");
  const whose = whoseOf(detail.session_id);
  const where = safeLine(detail.project_name ?? detail.project ?? "no project");
  const lines = [
    style.bold(title),
    style.dim(
      `${detail.session_id} · ${whose}${where} · ${detail.status} · ${timeOf(detail.started_at)}`,
    ),
    "",
  ];
  for (const { n, prompt, started_at: at, status, tool_count: tools } of detail.turns) {
    const facts = [
      timeOf(at),
      counted(tools, "tool call"),
      ...(status === "closed" ? [] : [status]),
    ];
    lines.push(`${n}. ${safeLine(prompt ?? "(private)")} ${style.dim(facts.join(" · "))}`);
  }
  const current = detail.checkpoints.find((checkpoint) => checkpoint.current);
  if (current !== undefined) {
    lines.push("", style.bold("Summary"));
    for (const [name, text] of [
      ["Request", current.request],
      ["Investigated", current.investigated],
      ["Learned", current.learned],
      ["Completed", current.completed],
      ["Next steps", current.next_steps],
      ["Files edited", current.files_edited.join(", ")],
      ["Notes", current.notes],
    ] as const)
      if (text !== "") lines.push(`${name}: ${safeText(text)}`);
  }
  if (detail.moments.length > 0) lines.push("", style.bold("Exchanges"));
  for (const { l0 } of detail.moments) lines.push(`- ${safeLine(l0)}`);
  return linesOf(lines);
}

export const contextCommand: CommandSpec = {
  name: "context",
  group: "more",
  summary: "Show the start context of a session, or preview it for a new session in this folder",
  arguments: [{ name: "[session]", summary: "session id (default: a new one in this folder)" }],
  examples: ["continuity context"],
  json: { shape: "one document", fields: "ContextJson" },
  run: async (context, input) => {
    const api = await context.api("read");
    const sessionId = input.args[0] ?? "preview";
    const query = one("project", context.deps.project()?.key ?? null);
    const answer = await api.context[":sessionId"].$get({ param: { sessionId }, query });
    const given = await answer.json();
    const text = given.text === "" ? "Nothing." : safeText(given.text.trimEnd());
    const facts = context.style.dim(`${given.state}, ${given.tokens} tokens\n`);
    context.show(given, () => `${text}\n${facts}`);
  },
};

// `archive`: transcripts that the client may have deleted.

export const archiveCommand: CommandSpec = {
  name: "archive",
  group: "more",
  summary: "List or restore archived transcripts",
  details:
    "The daemon archives ended sessions (`capture.archive`): your words, the agent's words and the targets of tools, " +
    "behind the privacy gate, as gzip files of JSON lines. A restored transcript has the client's format.",
  arguments: [
    { name: "[action]", summary: "list (the default) or restore", choices: ["list", "restore"] },
    { name: "[session]", summary: "session id, or the beginning of one" },
  ],
  options: [
    {
      flags: "--to <file>",
      summary: "output file (default: its original path); - for standard output",
    },
  ],
  examples: [
    "continuity archive",
    "continuity archive restore 1f0c9e1c",
    "continuity archive restore 1f0c9e1c --to -",
  ],
  json: {
    shape: "one document a line",
    fields: {
      session_id: "the client's session id",
      title: "first prompt in one line, or null",
      at: "when the transcript was last written",
      bytes: "size, compressed",
      path: "the file",
    },
  },
  run: async (context, input) => {
    const [action = "list", session] = input.args;
    if (action === "restore") return restored(context, input, session);
    if (session !== undefined)
      throw misuse("unexpected argument: list takes no session", "see `continuity help archive`");
    return listArchived(context);
  },
};

async function listArchived(context: Context): Promise<void> {
  const entries = (await context.deps.local()).keep.archived();
  context.showAll(entries, "no archived transcripts yet\n", () =>
    context.table(entries, [
      { title: "session", value: (entry) => entry.session_id },
      { title: "last", value: ({ at }) => timeOf(at) },
      { title: "size", value: ({ bytes }) => bytesOf(bytes), align: "right" },
      { title: "title", value: ({ title }) => title ?? "", least: 20 },
    ]),
  );
}

async function restored(
  { deps, print }: Context,
  input: Input,
  session: string | undefined,
): Promise<number | void> {
  if (session === undefined)
    throw misuse("archive restore needs a session", "see `continuity archive list`");
  const to = optionText(input, "to");
  const { keep } = await deps.local();
  const brought = await keep.unarchive(session, to === "-" ? print : to);
  if (brought !== "") print(`restored to ${safeLine(brought)}\n`);
}
