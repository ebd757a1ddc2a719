/** The door of the service room. */
export type {
  ConfigDep,
  ContextAsk,
  ContextDep,
  ContextPreview,
  FinderDep,
  HostDep,
  Learned,
  LearnerDep,
  PauseDep,
  ServiceDeps,
  WorkDep,
} from "./deps.ts";
export type { ServiceError } from "./errors.ts";
export { explainLlmError, llmPlaceOf, type LlmPlace } from "./llm-errors.ts";
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
  SearchFormat,
  SearchJson,
  SearchMode,
  TokenCosts,
  TreeEntryJson,
  TreeJson,
} from "./json.ts";
export type {
  BudgetJson,
  CheckpointJson,
  ContextJson,
  CountsJson,
  DaemonJson,
  DayJson,
  HealthJson,
  HookLatencyJson,
  InjectionJson,
  JsonValue,
  LogsJson,
  ModelJson,
  ObservationJson,
  PauseJson,
  ProfileJson,
  SessionDetailJson,
  SessionJson,
  SessionPageJson,
  StatsJson,
  StatusJson,
  TurnJson,
  WhyJson,
} from "./json-reports.ts";
export type {
  ConsideredJson,
  DayMemoryJson,
  ExplainedJson,
  InjectionDetailJson,
  InjectionHeadJson,
  InjectionListJson,
  PreviewJson,
  TodayJson,
} from "./json-given.ts";
export type {
  JobJson,
  JobsChangedJson,
  JobsJson,
  TrialJson,
  UsageJson,
  UsageLineJson,
} from "./json-work.ts";
export type {
  ConfigItemJson,
  ConfigJson,
  LinkCodeJson,
  ProofJson,
  RotatedJson,
  TokenJson,
} from "./json-config.ts";
export type {
  DiffJson,
  DiffPartJson,
  EvidenceItemJson,
  EvidenceJson,
  GraphJson,
  HistoryJson,
  UndoneJson,
  ReviewedJson,
  ReviewJson,
  ReviewPageJson,
  RevisionHeadJson,
  RevisionJson,
} from "./json-node.ts";
export type {
  FedTurnJson,
  FeedJson,
  FeedKind,
  FeedPageJson,
  TimelineItemJson,
  TimelineJson,
  TimelineKind,
} from "./json-time.ts";
export type { RememberAsk } from "./candidate.ts";
export type { SentencesRestoredJson } from "./sentences.ts";
export type { PlaceJson } from "./places.ts";
export type { ConsolidateAsk, ConsolidationJson } from "./consolidate.ts";
export type { Edit, EditAsk } from "./edit.ts";
export type { FeedSince } from "./feed.ts";
export type { ListAsk } from "./memories.ts";
export type { SearchAsk } from "./search.ts";
export { createService, type Service } from "./service.ts";
export type { SessionsAsk } from "./sessions.ts";
export type { StatusLineAsk, StatusLineJson } from "./status-line.ts";
