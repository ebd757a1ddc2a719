/**
 * The one service layer: every question that HTTP, command line or any later client asks is answered here.
 * Callers differ in transport and rendering only. Must not know about HTTP, terminals or SQL.
 */
import { err, type Result } from "#kit";
import { end, typedIn } from "./agent-forget.ts";
import { turnForgotten, turnToForget } from "./agent-turn.ts";
import type { Context } from "./context.ts";
import { edit } from "./edit.ts";
import { evidence } from "./evidence.ts";
import type { ServiceError } from "./errors.ts";
import { feedNow, feedSince } from "./feed.ts";
import { forget } from "./forget.ts";
import { contextAt, injection, injections, judgeInjection, preview, why } from "./given.ts";
import { activeGuards, addGuard, decideGuard, guards, testGuards } from "./guards.ts";
import { diff, history, revert } from "./history.ts";
import { list, search } from "./search.ts";
import { profile, read, remember, tree } from "./memories.ts";
import { restoreAsOf, steps, undo } from "./restore.ts";
import { inbox, review, verify } from "./review.ts";
import {
  mergeProjects,
  project,
  projects,
  renameProject,
  trustPlace,
  unmergeProjects,
} from "./scope.ts";
import { session, sessions, turnOfPrompt } from "./sessions.ts";
import { stats, worth } from "./worth.ts";
import { health, logs, pause, resume, setSetting, settings, status, statusLine } from "./status.ts";
import { open, sessionTimeline, timeline, today } from "./timeline.ts";
import {
  backfill,
  consolidate,
  dropJobs,
  jobs,
  retryJobs,
  startBackfill,
  stopBackfill,
  tryModel,
  usage,
} from "./work.ts";

const questions = {
  activeGuards,
  backfill,
  context: contextAt,
  diff,
  evidence,
  feedNow,
  feedSince,
  guards,
  health,
  history,
  inbox,
  injection,
  injections,
  jobs,
  list,
  logs,
  open,
  preview,
  profile,
  project,
  projects,
  read,
  restoreAsOf,
  search,
  session,
  sessionTimeline,
  sessions,
  settings,
  stats,
  status,
  statusLine,
  steps,
  testGuards,
  timeline,
  today,
  tree,
  tryModel,
  turnOfPrompt,
  turnToForget,
  typedIn,
  usage,
  verify,
  why,
  worth,
};

/** Operations that a read-only store refuses. */
const changes = {
  addGuard,
  consolidate,
  decideGuard,
  dropJobs,
  edit,
  end,
  forget,
  judgeInjection,
  mergeProjects,
  pause,
  remember,
  renameProject,
  resume,
  retryJobs,
  revert,
  review,
  setSetting,
  startBackfill,
  stopBackfill,
  trustPlace,
  turnForgotten,
  undo,
  unmergeProjects,
};

type Bound<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (
    context: Context,
    ...asked: infer Asked
  ) => infer Answer
    ? (...asked: Asked) => Answer
    : never;
};

/** All questions and commands, each described where it is written. */
export type Service = Bound<typeof questions> & Bound<typeof changes>;

type Ask = (context: Context, ...asked: never[]) => unknown;

/** Binds every question to one context. Nothing is read or written here. */
export function createService(context: Context): Service {
  const refuse = (): Result<never, ServiceError> => err({ type: "service.read-only" });
  const bound = (functions: Readonly<Record<string, Ask>>, isAllowed: boolean) =>
    Object.entries(functions).map(([name, ask]) => [
      name,
      isAllowed ? ask.bind(null, context) : refuse,
    ]);
  return Object.fromEntries([
    ...bound(questions, true),
    ...bound(changes, context.writable),
  ]) as Service;
}
