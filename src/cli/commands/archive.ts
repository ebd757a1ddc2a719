/** `sessions`, `why` and `context`: what happened, what was given back, and why. */
import type { SessionDetailJson, WhyJson } from "#api";
import { counted } from "#kit";
import { agentOf, agentTitles, sessionStatuses } from "#domain";
import type { Context } from "../context.ts";
import { type CommandSpec, hasFlag, type Input, optionText, optionTexts } from "../spec.ts";
import { ageOf, safeLine, safeText, timeOf } from "../text.ts";
import { countOption, first, one } from "./filters.ts";

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
  const projects = optionTexts(input, "project");
  const query = {
    ...one("project", projects.length === 0 ? null : [...projects]),
    ...one(
      "status",
      sessionStatuses.find((status) => status === optionText(input, "status")) ?? null,
    ),
    limit: `${countOption(input, "limit", 1_000) ?? 20}`,
  };
  const { items } = await (await api.sessions.$get({ query })).json();
  if (context.isJson) for (const session of items) context.printJson(session);
  else if (items.length === 0) context.print("No sessions yet.\n");
  else {
    const short = shortIds(items.map(({ session_id: id }) => id));
    context.print(
      context.table(items, [
        { title: "SESSION", value: ({ session_id: id }) => short(id) },
        ...(items.some(({ session_id: id }) => agentOf(id) !== "claude")
          ? [
              {
                title: "AGENT",
                value: ({ session_id: id }: (typeof items)[number]) => agentOf(id),
              },
            ]
          : []),
        { title: "LAST EVENT", value: ({ last_event_at: at }) => ageOf(at, context.nowMs) },
        { title: "STATUS", value: ({ status }) => status },
        { title: "PROJECT", value: (row) => row.project_name ?? row.project ?? "-", least: 8 },
        { title: "TITLE", value: ({ title }) => title ?? "(no title)", least: 16 },
      ]),
    );
  }
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
    api.sessions[":sessionId"].$get({ param: { sessionId }, query: {} }),
  );
  context.show(detail, () => renderedSession(context, detail));
}

/** Whose session it is, unless it is Claude Code's. */
function whoseOf(sessionId: string): string {
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
  return lines.map((line) => `${line}\n`).join("");
}

export const whyCommand: CommandSpec = {
  name: "why",
  group: "main",
  summary: "Show what was sent to Claude for a session's last prompt, and why",
  arguments: [
    { name: "[session]", summary: "session id (default: the last one that was sent something)" },
  ],
  options: [{ flags: "--all", summary: "everything that was sent in the session, whole" }],
  examples: ["continuity why", "continuity why --all", "continuity why 3f2a… --json"],
  json: {
    shape: "one document",
    fields: (of) => first(of("WhyJson"), ["session_id", "injections[].at", "injections[].channel"]),
  },
  run: async (context, input) => {
    const sessionId = input.args[0] ?? "latest";
    const why = await context.ask("read", (api) =>
      api.why[":sessionId"].$get({ param: { sessionId } }),
    );
    context.show(why, () => renderedWhy(context, why, hasFlag(input, "all")));
  },
};

const undelivered = {
  late: "The hook had given up or was ended before the client had the answer; the session did not get it.",
  failed: "The answer could not be made; `continuity status --log` has the reason.",
} as const;

const whyLinesMax = 40;

function renderedWhy({ style }: Context, why: WhyJson, isAll: boolean): string {
  if (why.injections.length === 0) return "Nothing sent.\n";
  const last = why.injections.findLast(({ channel }) => channel === "prompt");
  const shown = isAll
    ? why.injections
    : [last ?? why.injections.at(-1)].filter((one) => one != null);
  const blocks = shown.map(({ at, channel, cause, tokens, text, reasons }) => {
    const head = `${timeOf(at)}  ${channel} (${safeLine(cause)})  ${tokens} tokens`;
    if (cause === "late" || cause === "failed")
      return `${style.bold(`${timeOf(at)}  ${channel}  not delivered`)}\n  ${undelivered[cause]}`;
    const body = text === "" ? style.dim("  Nothing sent") : indented(safeText(text.trimEnd()));
    return [style.bold(head), body, style.dim(indented(reasonLines(reasons)))].join("\n");
  });
  const id = why.session_id ?? "";
  const lines =
    `${style.dim(`${whoseOf(id)}session ${safeLine(id)}`)}\n${blocks.join("\n\n")}`.split("\n");
  const isMore = lines.length > whyLinesMax || shown.length < why.injections.length;
  if (isAll || !isMore) return `${lines.join("\n")}\n`;
  const more = style.dim(
    `${counted(why.injections.length, "entry", "entries")} in all: \`continuity why --all\``,
  );
  return `${[...lines.slice(0, whyLinesMax - 1), more].join("\n")}\n`;
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, "  ");

/** Reasons are data of any shape: lists line by line, records as `name: value`. */
export function reasonLines(reasons: unknown): string {
  if (Array.isArray(reasons)) return reasons.map(reasonLine).join("\n");
  if (typeof reasons !== "object" || reasons === null) return reasonLine(reasons);
  return Object.entries(reasons)
    .map(([name, value]) =>
      Array.isArray(value) && value.length > 0
        ? `${safeLine(name)}:\n${value.map((item) => `  ${reasonLine(item)}`).join("\n")}`
        : `${safeLine(name)}: ${reasonLine(name === "decision" ? withoutFigures(value) : value)}`,
    )
    .join("\n");
}

function reasonLine(reason: unknown): string {
  if (typeof reason === "string") return safeLine(reason);
  if (typeof reason === "number") return `${Number(reason.toFixed(3))}`;
  if (typeof reason !== "object" || reason === null) return JSON.stringify(reason);
  if (Array.isArray(reason)) return reason.map(reasonLine).join(", ");
  return Object.entries(reason)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${safeLine(name)} ${reasonLine(withoutZeros(value))}`)
    .join(" · ");
}

/** What the decision computed with tells people nothing; --json has it. */
function withoutFigures(decision: unknown): unknown {
  if (typeof decision !== "object" || decision === null) return decision;
  return Object.fromEntries(Object.entries(decision).filter(([name]) => name !== "features"));
}

/** Of a record within a record, such as what a decision looked at, the zeros are what played no part. */
const withoutZeros = (value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).filter(([, figure]) => figure !== 0));

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
