/** Makes what every command gets, and holds what several commands share: moments, agents, projects. */
import { type ApiFailure, type Client, createCaller, type NodeJson } from "#api";
import { isoDate, parseNow } from "#kit";
import {
  agentInEnv,
  agentTitles,
  type KeptAgent,
  type NamedProject,
  type ProjectIdentity,
  projectLabels,
} from "#domain";
import type { CliDeps, Connection } from "./deps.ts";
import { CliFailure, isCliFailure, misuse } from "./failure.ts";
import type { ConfigEntry } from "./local.ts";
import { type Context, hasFlag, type Input, optionText } from "./spec.ts";
import { isYes, parseSpan, safeJson, safeLine, styleFor, table } from "./text.ts";

export type { Client } from "#api";
export type { Context } from "./spec.ts";

export function createContext(deps: CliDeps, input: Input): Context {
  const { io } = deps;
  const style = styleFor(deps.env, io.isTerminal);
  const isJson = hasFlag(input, "json");
  const print = (text: string): void => io.out(text);
  const printJson = (value: unknown): void => io.out(`${safeJson(JSON.stringify(value))}\n`);
  const api = async (need: "read" | "write"): Promise<Client> =>
    clientOf(await deps.connect(need), deps);
  return {
    deps,
    style,
    nowMs: deps.clock.nowMs(),
    api,
    ask: async (need, question) => (await question(await api(need))).json(),
    isJson,
    print,
    printJson,
    show: (document, text) => (isJson ? printJson(document) : print(text())),
    showAll: (items, none, text) => {
      if (isJson) items.forEach(printJson);
      else print(items.length === 0 ? none : text());
    },
    table: (rows, columns) => table(rows, columns, { width: io.columns, style }),
  };
}

/** Asks a person, where `--yes` does not say it already; throws what to do where nobody can be asked. */
export async function confirmed(
  { deps: { io } }: Context,
  input: Input,
  { question, unasked }: { readonly question: string; readonly unasked: readonly [string, string] },
): Promise<boolean> {
  if (hasFlag(input, "yes")) return true;
  if (io.ask === null) throw misuse(...unasked);
  return isYes(await io.ask(`${question} [y/N] `));
}

/** Refusals are thrown for the one place that prints them. */
function clientOf({ fetch }: Connection, deps: CliDeps): Client {
  const nowMs = parseNow(deps.env["CONTINUITY_NOW"]);
  return createCaller({
    fetch: (request) =>
      fetch(request).catch(() => {
        throw new CliFailure("the daemon did not answer", "see `continuity status` and try again");
      }),
    nowMs: () => nowMs,
    agent: agentRunning(deps),
    thrown: failureFrom,
  });
}

/** The next step for a person, by the API's error type. */
const nextByType: Readonly<Record<string, string>> = {
  "memory.not-found": "look for it with `continuity find <words>` or `continuity list --tree`",
  "memory.is-directory": "see what is in it with `continuity list --tree <uri>`",
  "session.not-found": "see `continuity sessions`",
  "session.ambiguous": "type more of it",
  "memory.ambiguous": "type more of it, or the id that `continuity list` shows",
  "project.unknown": "see `continuity stats` for the projects that are known",
  "project.ambiguous": "name it by its key, see `continuity stats`",
  "revision.not-found": "see its revisions with `continuity history <uri> --json`",
  "review.not-found": "see `continuity review`",
  "guard.not-found": "see `continuity guards`",
  "service.read-only": "start the daemon with `continuity serve`",
};

function failureFrom(error: ApiFailure | null, status: number): CliFailure {
  if (error === null) return new CliFailure(`the daemon answered with status ${status}`);
  const next = nextByType[error.type] ?? null;
  const message = error.message.replace(/\.$/, "");
  // 400: what was typed made no sense; everything else failed on its way.
  return status === 400 ? misuse(message, next) : new CliFailure(message, next);
}

/**
 * Reads a date or a time, of the command's zone unless it names another; null for anything else, such as the 30th of
 * February.
 */
export function timeIn(text: string): number | null {
  if (/^\d{12,14}$/.test(text)) return parseNow(text);
  const found = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(
    text,
  );
  if (found === null) return null;
  const [, date = "", time = "00:00", zone = ""] = found;
  const day = parseNow(`${date}T00:00Z`);
  return day === null || isoDate(day) !== date ? null : parseNow(`${date}T${time}${zone}`);
}

/** `7d`, `2026-09-01` or epoch milliseconds as epoch milliseconds; durations count back from now. */
export function momentOf(text: string, nowMs: number): number {
  const spanMs = parseSpan(text);
  const atMs = spanMs === null ? timeIn(text) : nowMs - spanMs;
  if (atMs === null || atMs < 0)
    throw misuse(`"${text}" is not a time`, "write 7d, 12h, 2026-09-01 or 2026-09-01T10:00");
  return atMs;
}

/** A setting as it stands; undefined where config.toml cannot be read. */
export async function settingNow(
  { local }: CliDeps,
  key: string,
): Promise<ConfigEntry | undefined> {
  try {
    return (await local()).config.get(key)[0];
  } catch (error) {
    if (isCliFailure(error)) return undefined;
    throw error;
  }
}

// Tells an agent's shell from a person's terminal, and refuses there what only a person may decide.

export function projectHere({ deps }: Context): ProjectIdentity {
  const place = deps.project();
  if (place !== null) return place;
  throw new CliFailure("this folder is in no project", "run it in a folder of the project");
}

/** Name or key given, else the project of the working folder; `--global` = everywhere. */
export function projectMeant({ deps }: Context, input: Input): string | null {
  const named = optionText(input, "project");
  if (!hasFlag(input, "global")) return named ?? deps.project()?.key ?? null;
  if (named !== null) throw misuse("--global and --project exclude each other");
  return null;
}

/** The agent that runs this command; null in a terminal, and where no agent says that it is there. */
export function agentRunning({ env, io }: CliDeps): KeptAgent | null {
  const agent = agentInEnv(env);
  return agent === null || io.isTerminal || io.ask !== null ? null : agent;
}

/** The session of the client whose Bash tool runs this: what is shown or saved here counts as of it. */
export const sessionRunning = ({ env }: CliDeps): string | null =>
  env["CLAUDECODE"] === "1" ? env["CLAUDE_CODE_SESSION_ID"] || null : null;

/** Throws in an agent's shell. A command that its user types there (`!` in Claude Code) looks the same from here. */
export function refuseAgent(deps: CliDeps, command: string): void {
  const agent = agentRunning(deps);
  if (agent === null) return;
  throw new CliFailure(
    `\`${command}\` was not done: only you may decide this, and this shell belongs to ${agentTitles[agent]}`,
    "run it in a terminal of your own (a command typed with `!` counts as the agent's too)",
  );
}

// Code that a memory names, in one line: for `show`.

/** `changed  src/rows.ts parseRow  since 1a2b3c4`. */
export function anchorLine({
  path,
  symbol,
  state,
  commit,
  branch,
  moved_to: to,
}: NodeJson["anchors"][number]): string {
  const at = commit === null ? "" : `  ${state === "fresh" ? "at" : "since"} ${commit.slice(0, 7)}`;
  const place = `${path}${symbol === null ? "" : ` ${symbol}`}`;
  const moved = state === "moved" && to !== null ? `  now ${to}` : "";
  const only = branch === null ? "" : `  only on branch ${branch}`;
  return safeLine(`${state}  ${place}${moved}${at}${only}`);
}

// Names of projects, in the place of their keys, as a person knows them.

export type NameOf = (key: string) => string;

/** Names of the projects with these keys; asks for them unless they are all this folder's, or null. */
export async function projectNames(
  context: Context,
  keys: readonly (string | null)[],
): Promise<NameOf> {
  const here = context.deps.project()?.key ?? null;
  if (keys.every((key) => key === null || key === here)) return namesAmong(context, new Map());
  const api = await context.api("read");
  const { items } = await (await api.projects.$get()).json();
  return namesAmong(context, labelsOf(items));
}

const labelsOf = (all: readonly NamedProject[]): ReadonlyMap<string, string> => {
  const labels = projectLabels(all);
  return new Map(all.map(({ key, name }) => [key, labels.get(key) ?? name]));
};

/** Names a project of which only the key is known by the key's end, and this folder's by the folder. */
export function namesAmong({ deps }: Context, names: ReadonlyMap<string, string>): NameOf {
  const here = deps.project();
  return (key) => {
    const name = names.get(key);
    // A label that tells a project from another of its name stays.
    if (key === here?.key && !/[/:]/.test(name ?? "")) return here.name;
    return name ?? endOf(key);
  };
}

const endOf = (key: string): string => {
  const end = key.split(/[/:]/).at(-1) ?? key;
  return key.includes(":") ? `project-${end.slice(0, 8)}` : end;
};
