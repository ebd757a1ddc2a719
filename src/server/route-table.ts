/** Every route in one table, for the reference and for the tests that hold it against the router. */
import type { z } from "zod";
import {
  emptyBody,
  forgetQuery,
  historyQuery,
  hookEnvelope,
  importBody,
  importKnownBody,
  jobsBody,
  listQuery,
  logsQuery,
  nodeQuery,
  pauseBody,
  projectQuery,
  rememberBody,
  searchQuery,
  sessionsQuery,
  statusLineQuery,
  treeQuery,
  trialBody,
  usageQuery,
} from "./schemas.ts";

export interface RouteSpec {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The JSON form of the answer, by its name in src/service. */
  readonly answer: string;
}

export const routeTable: readonly RouteSpec[] = [
  {
    method: "GET",
    path: "/api/health",
    summary: "Liveness and version; the only route without a token",
    answer: "HealthJson",
  },
  {
    method: "GET",
    path: "/api/search",
    summary: "Ranked results with token costs and explanations",
    query: searchQuery,
    answer: "SearchJson",
  },
  {
    method: "GET",
    path: "/api/tree",
    summary: "One directory of the memory tree",
    query: treeQuery,
    answer: "TreeJson",
  },
  {
    method: "GET",
    path: "/api/nodes",
    summary: "One node whole; only `use=1` counts as use",
    query: nodeQuery,
    answer: "NodeJson",
  },
  {
    method: "DELETE",
    path: "/api/nodes",
    summary: "Forget memories for good, with every trace of their text",
    query: forgetQuery,
    answer: "ForgottenJson",
  },
  {
    method: "GET",
    path: "/api/nodes/history",
    summary: "Every change of a node, oldest first",
    query: historyQuery,
    answer: "{uri, items: RevisionJson[]}",
  },
  {
    method: "GET",
    path: "/api/memories",
    summary: "A list of memories, or of the archive",
    query: listQuery,
    answer: "MemoryPageJson",
  },
  {
    method: "POST",
    path: "/api/memories",
    summary: "Remember something by hand: origin `user`, through the privacy gate",
    body: rememberBody,
    answer: "RememberedJson",
  },
  {
    method: "GET",
    path: "/api/profile",
    summary: "Profile and preferences",
    query: projectQuery,
    answer: "ProfileJson",
  },
  {
    method: "GET",
    path: "/api/sessions",
    summary: "Sessions, the latest first",
    query: sessionsQuery,
    answer: "PageJson<SessionJson>",
  },
  {
    method: "GET",
    path: "/api/sessions/:sessionId",
    summary: "One session with turns, checkpoints, observations and moments",
    answer: "SessionDetailJson",
  },
  {
    method: "GET",
    path: "/api/context/:sessionId",
    summary: "What was injected at the session's start, or would be now",
    query: projectQuery,
    answer: "ContextJson",
  },
  {
    method: "GET",
    path: "/api/why/:sessionId",
    summary:
      "Every injection of a session with its reasons; `latest` = the session given something last",
    answer: "WhyJson",
  },
  {
    method: "GET",
    path: "/api/status",
    summary: "Whether everything works, and how much there is",
    answer: "StatusJson",
  },
  {
    method: "GET",
    path: "/api/statusline",
    summary: "What the client's status line shows of a session",
    query: statusLineQuery,
    answer: "StatusLineJson",
  },
  {
    method: "GET",
    path: "/api/stats",
    summary: "Figures by category, state and source",
    answer: "StatsJson",
  },
  {
    method: "GET",
    path: "/api/logs",
    summary: "The last log lines",
    query: logsQuery,
    answer: "LogsJson",
  },
  {
    method: "POST",
    path: "/api/pause",
    summary: "Stop capturing and injecting",
    body: pauseBody,
    answer: "PauseJson",
  },
  {
    method: "POST",
    path: "/api/resume",
    summary: "Go on capturing and injecting",
    body: emptyBody,
    answer: "PauseJson",
  },
  {
    method: "GET",
    path: "/api/jobs",
    summary: "Jobs that wait, run or are parked",
    answer: "JobsJson",
  },
  {
    method: "POST",
    path: "/api/jobs/retry",
    summary: "Queue parked jobs again, and make due what was put off",
    body: jobsBody,
    answer: "JobsChangedJson",
  },
  {
    method: "POST",
    path: "/api/jobs/drop",
    summary: "Give parked jobs up for good",
    body: jobsBody,
    answer: "JobsChangedJson",
  },
  {
    method: "GET",
    path: "/api/usage",
    summary: "Model calls by day, purpose and model, in tokens and dollars",
    query: usageQuery,
    answer: "UsageJson",
  },
  {
    method: "POST",
    path: "/api/llm/test",
    summary: "One real question to the model that is chosen; it costs what it costs",
    body: trialBody,
    answer: "TrialJson",
  },
  {
    method: "POST",
    path: "/api/import",
    summary: "A batch of records from elsewhere, committed together; over the socket only",
    body: importBody,
    answer: "{outcomes: ImportOutcome[]}",
  },
  {
    method: "POST",
    path: "/api/import/known",
    summary: "Which sessions are there, and how far they were imported; over the socket only",
    body: importKnownBody,
    answer: "{sessions: KnownSession[]}",
  },
  {
    method: "POST",
    path: "/api/hooks/:event",
    summary:
      "One event: a hook process's envelope (answered with `{context, fresh}`), or the client's own payload (answered as the client reads it)",
    body: hookEnvelope,
    answer: "HookReply",
  },
];
