/**
 * The one service layer: every question that HTTP, command line or any later client asks is answered here.
 * Callers differ in transport and rendering only. Must not know about HTTP, terminals or SQL.
 */
import type { ContextApi } from "./context.ts";
import { createContextApi } from "./context.ts";
import type { ServiceDeps } from "./deps.ts";
import type { ForgetApi } from "./forget.ts";
import { createForgetApi } from "./forget.ts";
import type { MemoriesApi } from "./memories.ts";
import { createMemoriesApi } from "./memories.ts";
import type { SearchApi } from "./search.ts";
import { createSearchApi } from "./search.ts";
import type { SessionsApi } from "./sessions.ts";
import { createSessionsApi } from "./sessions.ts";
import type { StatusLineApi } from "./status-line.ts";
import { createStatusLineApi } from "./status-line.ts";
import type { StatusApi } from "./status.ts";
import { createStatusApi } from "./status.ts";
import type { WorkApi } from "./work.ts";
import { createWorkApi } from "./work.ts";

/** All questions and commands. Each group is described in its own file. */
export interface Service
  extends ContextApi, ForgetApi, MemoriesApi, SearchApi, SessionsApi, StatusApi, StatusLineApi, WorkApi {}

/** Builds the service over its ports. Pure wiring: nothing is read or written here. */
export const createService = (deps: ServiceDeps): Service => ({
  ...createContextApi(deps),
  ...createForgetApi(deps),
  ...createMemoriesApi(deps),
  ...createSearchApi(deps),
  ...createSessionsApi(deps),
  ...createStatusApi(deps),
  ...createStatusLineApi(deps),
  ...createWorkApi(deps),
});
