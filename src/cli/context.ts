/** What every command gets: the typed API client, the terminal and the caller's place and time. */
import { createCaller, type ApiFailure, type Client } from "#api/client";
import { isoDate, parseNow } from "#kit";
import { agentRunning } from "./agent-shell.ts";
import type { CliDeps, Connection } from "./deps.ts";
import { CliFailure, failureOf, misuse } from "./failure.ts";
import { parseSpan, styleFor, type Style } from "./text.ts";

export type { Client } from "#api/client";

export interface Context {
  readonly deps: CliDeps;
  readonly style: Style;
  /** The command's own now (the maker of the clock honours CONTINUITY_NOW). */
  readonly nowMs: number;
  /** Connects and returns the client; throws `CliFailure` when there is no way. */
  readonly api: (need: "read" | "write") => Promise<Client>;
  readonly print: (text: string) => void;
  /** One JSON document on one line. */
  readonly printJson: (value: unknown) => void;
}

export const createContext = (deps: CliDeps): Context => ({
  deps,
  style: styleFor(deps.env, deps.io.isTerminal),
  nowMs: deps.clock.nowMs(),
  api: async (need) => {
    const connection = await deps.connect(need);
    if (!connection.ok) throw failureOf(connection.error);
    return clientOf(connection.value, deps);
  },
  print: (text) => deps.io.out(text),
  printJson: (value) => deps.io.out(`${JSON.stringify(value)}\n`),
});

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

/** What to do next, by the API's error type. */
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
function timeIn(text: string): number | null {
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
