/** Routes over what stands around memories: sessions, what they were given, projects, guards, and hooks. */
import { z } from "zod";
import {
  guardDecisions,
  injectionFeedbacks,
  momentKinds,
  sessionStatuses,
  undeliveredCauses,
} from "#domain";
import type { RouteSpecs } from "./route.ts";
import {
  text,
  listOf,
  time,
  count,
  uri,
  project,
  formerKind,
  hookEnvelope,
  orNull,
  optional,
  digits,
  paging,
  sessionId,
} from "./requests.ts";

const sessionParam = z.object({ sessionId });
const oneProject = text(300).describe("project key or name");
const injectionParam = z.object({ id: digits("the id of an injection") });
const decision = z.enum(guardDecisions);

export const sessionRoutes = {
  "GET /api/sessions": {
    summary: "Sessions, the latest first",
    query: z.strictObject({
      project: project.optional(),
      status: z.enum(sessionStatuses).optional(),
      since: optional(time, "not silent for longer than this"),
      until: optional(time, "silent at least since then"),
      ...paging,
    }),
    answer: "SessionPageJson",
  },
  "GET /api/sessions/:sessionId": {
    summary: "One session with turns, checkpoints, and what was said and done in each turn",
    param: sessionParam,
    answer: "SessionDetailJson",
  },
  "GET /api/context/:sessionId": {
    summary: "What was sent at the session's start, or would be now",
    param: sessionParam,
    query: z.strictObject({ project: optional(text(300), "project key or name") }),
    answer: "ContextJson",
  },
  "GET /api/why/:sessionId": {
    summary:
      "Every injection of a session with its reasons; `latest` = the session given something last",
    param: sessionParam,
    answer: "WhyJson",
  },
  "POST /api/projects/trust": {
    summary: "Believe that a folder is the project that its remote says",
    body: z.strictObject({
      project: z.string().min(1).max(200).describe("key of the project"),
      root: z.string().min(1).max(4_096).describe("top folder of the working tree"),
    }),
    answer: "PlaceJson",
    needsPerson: true,
  },
  "GET /api/guards": {
    summary: "Guards that are offered or approved, the first said first",
    answer: "GuardListJson",
  },
  "POST /api/guards": {
    summary: "Make a guard of the user's own words; it does nothing until it is approved",
    body: z.strictObject({
      words: text(300).describe("what the agent must not do, in the user's own words"),
      decision: decision.default("ask").describe("`ask` the user, or `deny`; default ask"),
      project: orNull(text(300), "project key or name; null = everywhere"),
    }),
    answer: "GuardJson",
    needsPerson: true,
  },
  "POST /api/guards/test": {
    summary: "Which guard a command, or a change of a file, is against",
    body: z.strictObject({
      command: optional(text(20_000), "a command line of the shell"),
      path: optional(text(4_096), "a file that is to be written"),
      cwd: text(4_096).describe("the agent's working folder"),
      root: optional(text(4_096), "top folder of its project; default the working folder"),
      project: orNull(text(300), "project key or name; null = where the working folder is"),
    }),
    answer: "GuardTestJson",
  },
  "POST /api/guards/:id": {
    summary: "Approve a guard, which acts from then on, or remove it",
    param: z.object({ id: digits("the number of a guard") }),
    body: z.strictObject({
      action: z.enum(["approve", "remove"]).describe("acts from now on, or is not offered again"),
      decision: optional(decision, "of one that is approved; default as it is"),
    }),
    answer: "GuardJson",
    needsPerson: true,
  },
  "POST /api/hooks/:event": {
    summary:
      "One event: a hook process's envelope (answered with `{context, fresh}`), or the client's own payload " +
      "(answered as the client reads it)",
    param: z.object({ event: z.string().regex(/^[A-Za-z]{1,40}$/, "expected an event name") }),
    body: hookEnvelope,
    takesOther: true,
    answer: "HookReply",
  },
  "GET /api/timeline": {
    summary: "What happened around a moment",
    query: z.strictObject({
      around: optional(
        text(400),
        "a time, a mem:// URI, a session or a turn as `session/3`; default now",
      ),
      project: project.optional(),
      kind: optional(
        listOf(z.enum([...momentKinds, formerKind])).transform((kinds) =>
          kinds.map((kind) => (kind === formerKind ? "moment" : kind)),
        ),
        `of ${momentKinds.join(", ")}; default all of them`,
      ),
      limit: optional(count(200), "entries, at most 200; default 40"),
      cursor: optional(text(80), "`earlier` or `later` of an answer"),
    }),
    answer: "TimelineJson",
  },
  "GET /api/sessions/:sessionId/timeline": {
    summary: "What happened in one session, from its beginning",
    param: sessionParam,
    query: z.strictObject({
      limit: optional(count(500), "entries, at most 500; default 100"),
      cursor: optional(text(80), "`earlier` or `later` of an answer"),
    }),
    answer: "TimelineJson",
  },
  "GET /api/injections": {
    summary: "What prompts and starts were given, or why nothing, the latest first",
    query: z.strictObject({
      session: optional(text(128), "of this session"),
      uri: uri.optional(),
      project: project.optional(),
      kind: optional(
        z.enum(["given", "silent", ...undeliveredCauses, ...injectionFeedbacks]),
        "`given`: with a text; `silent`: prompts without one; `late`, `failed`: did not arrive; " +
          "else by what a person said",
      ),
      since: optional(time, "not older than this"),
      until: optional(time, "older than this"),
      ...paging,
    }),
    answer: "InjectionListJson",
  },
  "GET /api/injections/:id": {
    summary: "One injection line by line, with what was considered and what it had to reach",
    param: injectionParam,
    answer: "InjectionDetailJson",
  },
  "POST /api/injections/:id": {
    summary: "Say that an injection was wrong, or that something was missing",
    param: injectionParam,
    body: z.strictObject({
      feedback: z
        .enum(injectionFeedbacks)
        .nullable()
        .describe(
          "this should not have been given, or something should have been; null takes it back",
        ),
    }),
    answer: "InjectionDetailJson",
  },
  "GET /api/today": {
    summary: "What a day brought, by project, and what is left to do",
    query: z.strictObject({
      since: time.describe("beginning of the day, where the asker is"),
      until: time.describe("its end"),
    }),
    answer: "TodayJson",
  },
  "GET /api/open": {
    summary: "What the sessions of a project left open, and whether capture is paused",
    query: z.strictObject({
      project: optional(text(300), "project key; without one nothing is open"),
      branch: optional(text(300), "what was left open on it comes first"),
    }),
    answer: "OpenJson",
  },
  "POST /api/preview": {
    summary:
      "What a session that starts now would be given, and a prompt in it; nothing is recorded",
    body: z.strictObject({
      project: orNull(text(300), "project key or name; null = outside any"),
      prompt: z
        .string()
        .max(20_000)
        .default("")
        .describe("as one types it; empty = the start alone"),
    }),
    answer: "PreviewJson",
  },
  "GET /api/events": {
    summary:
      "Server-sent events that name the kind of record that there is more of; `Last-Event-ID` goes on behind one, " +
      "`reset` says that everything must be looked at anew",
    answer: "FeedJson",
    type: "text/event-stream",
  },
  "GET /api/projects": {
    summary: "Every project, with how much there is of it",
    answer: "ProjectsJson",
  },
  "GET /api/projects/one": {
    summary: "One project, with the folders that its sessions ran in",
    query: z.strictObject({ project: oneProject }),
    answer: "ProjectJson",
  },
  "POST /api/projects/rename": {
    summary: "Call a project by another name, sessions to come included",
    body: z.strictObject({
      project: oneProject,
      name: text(60).describe("what it is called from now on"),
    }),
    answer: "ProjectJson",
  },
  "POST /api/projects/merge": {
    summary: "Make one project part of another, with all that comes",
    body: z.strictObject({
      project: text(4_096).describe("project key, name or folder that is gone"),
      into: text(300).describe("the project that it becomes part of"),
      into_name: optional(text(60), "what that is called, where it may be new"),
    }),
    answer: "ProjectJson",
  },
  "POST /api/projects/unmerge": {
    summary: "Take the last merge apart; what came since stays. Answers the project that is back",
    answer: "ProjectJson",
  },
  "POST /api/turns": {
    summary: "A turn of any other agent: same gate, same pipeline; the same turn counts once",
    body: z.strictObject({
      session: sessionId.describe("id of the session it belongs to; a new one makes a session"),
      cwd: text(4_096)
        .regex(/^(?:\/|[A-Za-z]:[\\/])/, "expected a full path")
        .describe("folder it happened in, which says the project"),
      user: text(200_000).describe("what the user said"),
      assistant: z.string().max(400_000).describe("what was answered"),
      tools: z
        .array(
          z.strictObject({
            name: text(200).describe("such as Bash or Edit"),
            input: optional(z.record(z.string(), z.unknown()), "what it was called with"),
            output: optional(z.unknown(), "what came back"),
            error: optional(z.string().max(100_000), "what went wrong"),
            id: optional(text(200), "id of the call"),
          }),
        )
        .max(200)
        .default([])
        .describe("tools used in this turn, in order"),
      at: optional(
        z.union([z.int(), text(40)]),
        "when it began, epoch milliseconds or ISO 8601; default now",
      ),
      id: optional(
        text(200),
        "id of the turn: the same one counts once; default: its content and `at`",
      ),
    }),
    answer: "FedTurnJson",
  },
} as const satisfies RouteSpecs;
