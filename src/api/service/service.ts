/**
 * The one service layer: every question that HTTP, command line or any later client asks is answered here.
 * Callers differ in transport and rendering only. Must not know about HTTP, terminals or SQL.
 */
import { createEndApi, type EndApi } from "./agent-forget.ts";
import {
  type BackfillApi,
  type ConsolidateApi,
  createBackfillApi,
  createConsolidateApi,
  createWorkApi,
  type WorkApi,
} from "./work.ts";
import { createBulkApi, type BulkApi } from "./bulk.ts";
import { createPlacesApi, createProjectsApi, type PlacesApi, type ProjectsApi } from "./scope.ts";
import { type ContextApi, createContextApi, createGivenApi, type GivenApi } from "./given.ts";
import { createTimelineApi, type TimelineApi } from "./timeline.ts";
import { createStatsApi, type StatsApi } from "./stats.ts";
import {
  createSettingsApi,
  createStatusApi,
  createStatusLineApi,
  type SettingsApi,
  type StatusApi,
  type StatusLineApi,
} from "./status.ts";
import { createReviewApi, createVerifyApi, type ReviewApi, type VerifyApi } from "./review.ts";
import { createHistoryApi, type HistoryApi } from "./history.ts";
import { createGuardsApi, type GuardsApi } from "./guards.ts";
import { createGraphApi, type GraphApi } from "./graph.ts";
import { createFeedApi, type FeedApi } from "./feed.ts";
import { createEditApi, type EditApi } from "./edit.ts";
import { createForgetApi, type ForgetApi } from "./forget.ts";
import { createMemoriesApi, type MemoriesApi } from "./memories.ts";
import { createSearchApi, type SearchApi } from "./search.ts";
import { createRestoreApi, createUndoApi, type RestoreApi, type UndoApi } from "./restore.ts";
import { createSessionsApi, type SessionsApi } from "./sessions.ts";
import { createOpenApi, createTodayApi, type OpenApi, type TodayApi } from "./today.ts";
import { createWorthApi, type WorthApi } from "./worth.ts";
import type { Context } from "./context.ts";

/** All questions and commands. Each group is described in its own file. */
export interface Service
  extends
    BackfillApi,
    BulkApi,
    ConsolidateApi,
    PlacesApi,
    ContextApi,
    EditApi,
    EndApi,
    FeedApi,
    ForgetApi,
    GivenApi,
    GraphApi,
    GuardsApi,
    HistoryApi,
    MemoriesApi,
    RestoreApi,
    ReviewApi,
    OpenApi,
    ProjectsApi,
    SearchApi,
    SessionsApi,
    SettingsApi,
    StatsApi,
    StatusApi,
    StatusLineApi,
    TimelineApi,
    TodayApi,
    UndoApi,
    VerifyApi,
    WorkApi,
    WorthApi {}

/** Builds the service over its ports. Pure wiring: nothing is read or written here. */
export const createService = (context: Context): Service => ({
  ...createBackfillApi(context),
  ...createBulkApi(context),
  ...createConsolidateApi(context),
  ...createPlacesApi(context),
  ...createContextApi(context),
  ...createEditApi(context),
  ...createEndApi(context),
  ...createFeedApi(context),
  ...createForgetApi(context),
  ...createGivenApi(context),
  ...createGraphApi(context),
  ...createGuardsApi(context),
  ...createHistoryApi(context),
  ...createMemoriesApi(context),
  ...createRestoreApi(context),
  ...createReviewApi(context),
  ...createOpenApi(context),
  ...createProjectsApi(context),
  ...createSearchApi(context),
  ...createSessionsApi(context),
  ...createSettingsApi(context),
  ...createStatsApi(context),
  ...createStatusApi(context),
  ...createStatusLineApi(context),
  ...createTimelineApi(context),
  ...createTodayApi(context),
  ...createUndoApi(context),
  ...createVerifyApi(context),
  ...createWorkApi(context),
  ...createWorthApi(context),
});
