/** The door of the service room. */
export type {
  ContextAsk,
  ContextDep,
  FinderDep,
  HostDep,
  Learned,
  LearnerDep,
  PauseDep,
  ServiceDeps,
  WorkDep,
} from "./deps.ts";
export type { ServiceError } from "./errors.ts";
export type {
  ExplanationJson,
  ForgottenJson,
  FoundJson,
  LinkJson,
  MemoryJson,
  MemoryPageJson,
  NodeJson,
  PageJson,
  RememberedJson,
  RevisionJson,
  SearchFormat,
  SearchJson,
  SearchMode,
  TokenCosts,
  TreeEntryJson,
  TreeJson,
} from "./json.ts";
export type {
  CheckpointJson,
  ContextJson,
  CountsJson,
  DaemonJson,
  HealthJson,
  InjectionJson,
  JsonValue,
  LogsJson,
  ModelJson,
  ObservationJson,
  PauseJson,
  ProfileJson,
  SessionDetailJson,
  SessionJson,
  StatsJson,
  StatusJson,
  TurnJson,
  WhyJson,
} from "./json-reports.ts";
export type {
  JobJson,
  JobsChangedJson,
  JobsJson,
  TrialJson,
  UsageJson,
  UsageLineJson,
} from "./json-work.ts";
export type { RememberAsk } from "./candidate.ts";
export type { ListAsk } from "./memories.ts";
export type { SearchAsk } from "./search.ts";
export { createService, type Service } from "./service.ts";
export type { SessionsAsk } from "./sessions.ts";
export type { StatusLineAsk, StatusLineJson } from "./status-line.ts";
