/** Routes over the daemon itself: state, settings, jobs, import, sync, and the way into the viewer. */
import { z } from "zod";
import type { RouteSpecs } from "./route.ts";
import {
  text,
  time,
  count,
  importSource,
  dayZone,
  emptyBody,
  orNull,
  optional,
  sessionId,
  limitMax,
} from "./requests.ts";

const jobsBody = z.strictObject({
  ids: orNull(
    z.array(z.int().min(1)).max(limitMax),
    "ids of parked jobs; null = all that are parked",
  ),
});

export const processRoutes = {
  "GET /api/health": { summary: "Liveness and version", answer: "HealthJson", isOpen: true },
  "GET /api/status": {
    summary: "Whether everything works, and how much there is",
    answer: "StatusJson",
  },
  "GET /api/statusline": {
    summary: "What the client's status line shows of a session",
    query: z.strictObject({
      session: sessionId,
      cwd: optional(z.string().max(4_096), "folder the session works in"),
      age_ms: optional(count(1e12), "how long the session has run"),
    }),
    answer: "StatusLineJson",
  },
  "GET /api/stats": {
    summary:
      "Figures by category, state, source and day; what was shown and used; how long hooks take",
    query: z.strictObject({
      days: optional(count(366), "days that `surfaced` looks back, today included; default 30"),
    }),
    answer: "StatsJson",
  },
  "GET /api/stats/memory": {
    summary:
      "Whether memory helped: what was given, used, contradicted, said again or missed; what to clear out and to set",
    query: z.strictObject({
      days: optional(count(90), "days that are looked at, today included; default 30"),
    }),
    answer: "WorthJson",
  },
  "GET /api/logs": {
    summary: "The last log lines",
    query: z.strictObject({ tail: optional(count(10_000), "lines, at most 10000; default 100") }),
    answer: "LogsJson",
  },
  "POST /api/pause": {
    summary: "Stop capturing and injecting",
    body: z.strictObject({
      for_ms: orNull(
        z
          .int()
          .min(1)
          .max(366 * 86_400_000),
        "milliseconds; null = until resumed",
      ),
    }),
    answer: "PauseJson",
  },
  "POST /api/resume": {
    summary: "Go on capturing and injecting",
    body: emptyBody,
    answer: "PauseJson",
  },
  "GET /api/jobs": { summary: "Jobs that wait, run or are parked", answer: "JobsJson" },
  "POST /api/jobs/retry": {
    summary: "Queue parked jobs again, and make due what was put off",
    body: jobsBody,
    answer: "JobsChangedJson",
  },
  "POST /api/jobs/drop": {
    summary: "Give parked jobs up for good",
    body: jobsBody,
    answer: "JobsChangedJson",
  },
  "POST /api/consolidate": {
    summary:
      "Make one of memories that say the same; a slice at a time, and only said unless `apply`",
    body: z.strictObject({
      apply: z.boolean().default(false).describe("do it; otherwise only say what would be done"),
      after: z
        .int()
        .min(0)
        .default(0)
        .describe("`next` of the answer before; 0 = from the beginning"),
    }),
    answer: "ConsolidationJson",
  },
  "GET /api/backfill": {
    summary: "Imported sessions that a model could read, and what it would take",
    answer: "BackfillJson",
  },
  "POST /api/backfill": {
    summary: "Let the model read them in the background; queued a slice at a time",
    body: emptyBody,
    answer: "BackfillQueuedJson",
  },
  "POST /api/backfill/stop": {
    summary: "Let it read no more of them; the session under way is read to its end",
    body: emptyBody,
    answer: "BackfillJson",
  },
  "GET /api/usage": {
    summary: "Model calls by day, purpose and model, in tokens and dollars",
    query: z.strictObject({
      since: optional(time, "calls from here on; default the last 30 days"),
      zone: dayZone,
    }),
    answer: "UsageJson",
  },
  "POST /api/llm/test": {
    summary: "One real question to the model that is chosen; it costs what it costs",
    body: emptyBody,
    answer: "TrialJson",
  },
  "POST /api/import": {
    summary: "A batch of records from elsewhere, committed together; over the socket only",
    body: z.object({
      source: importSource,
      items: z
        .array(z.unknown())
        .min(1)
        .max(500)
        .describe("records in the form of src/exchange/items.ts, already gated by the reader"),
    }),
    answer: "{outcomes: ImportOutcome[], tookMs}",
  },
  "POST /api/import/known": {
    summary: "Which sessions are there, and how far they were imported; over the socket only",
    body: z.object({
      source: importSource,
      sessions: z.array(z.string().max(200)).max(1_000).describe("session ids"),
    }),
    answer: "{sessions: KnownSession[]}",
  },
  "POST /api/sync": {
    summary: "One question of the process that syncs; over the socket only",
    body: z.looseObject({
      ask: z
        .enum(["state", "begin", "end", "collect", "sent", "apply"])
        .describe("see src/exchange/sync/log/peer.ts"),
    }),
    answer: "PeerAnswer",
  },
  "POST /api/team": {
    summary: "One question of the command line or the hub's process; over the socket only",
    body: z.looseObject({ ask: z.string().max(20).describe("see src/exchange/team/peer.ts") }),
    answer: "PeerAnswer",
  },
  "GET /api/config": {
    summary: "Every setting with its value, where that comes from, and what it does",
    answer: "ConfigJson",
  },
  "PATCH /api/config": {
    summary: "Change one setting in config.toml",
    body: z.strictObject({
      key: text(100).describe("such as inject.prompt"),
      value: z.string().max(10_000).describe("as one types it: off, 30m, `a, b`"),
    }),
    answer: "ConfigItemJson",
    needsPerson: true,
  },
  "POST /api/doctor": {
    summary: "Check the installation, as `continuity doctor --no-self-test` does",
    body: emptyBody,
    answer: "DoctorJson",
  },
  "POST /api/import/start": {
    summary: "Start an import in a process of its own, unless one is under way",

    /** Sources that a person brings in by one press: looked for where their programs keep them. */
    body: z.strictObject({
      from: z
        .enum(["claude-code", "claude-mem", "codex", "gemini", "copilot", "opencode"])
        .describe("whose records, from where that program keeps them"),
    }),
    answer: "ImportStateJson",
  },
  "GET /api/import/state": {
    summary: "How an import stands that was started so",
    answer: "ImportStateJson",
  },
  "POST /api/ui/code": {
    summary: "A link into the viewer that works once, for a minute; over the socket only",
    body: emptyBody,
    answer: "LinkCodeJson",
  },
  "POST /api/ui/token": {
    summary:
      "A viewer token for the code of such a link; it holds for 12 hours, or until the daemon stops",
    body: z.strictObject({ code: text(128).describe("what `continuity ui` put into the address") }),
    answer: "TokenJson",
    isOpen: true,
  },
  "POST /api/ui/proof": {
    summary: "Proof that this server knows a code or a viewer token, before a page sends it",
    body: z.strictObject({
      id: z
        .string()
        .regex(/^[0-9a-f]{16}$/, "expected 16 hex digits")
        .describe(
          "first 16 digits of SHA-256(SHA-256(secret)), both in hex; the secret: a code or a viewer token",
        ),
      nonce: z
        .string()
        .regex(/^[0-9a-f]{32,64}$/, "expected 32 to 64 hex digits")
        .describe(
          "random; the proof is HMAC-SHA256 over it, a blank and the port, with SHA-256(secret) in hex as key",
        ),
    }),
    answer: "ProofJson",
    isOpen: true,
  },
  "POST /api/token/rotate": {
    summary:
      "Replace the token of the home folder and end every viewer token; over the socket only",
    body: emptyBody,
    answer: "RotatedJson",
    needsPerson: true,
  },
  "GET /api/openapi.json": { summary: "This API as an OpenAPI document", answer: "OpenAPI 3.1" },
  "GET /": { summary: "The viewer", answer: "HTML", type: "text/html", isOpen: true },
  "GET /assets/:name": {
    summary: "A file of the viewer",
    param: z.object({ name: z.string() }),
    answer: "the file",
    type: "application/octet-stream",
    isOpen: true,
  },
} as const satisfies RouteSpecs;
