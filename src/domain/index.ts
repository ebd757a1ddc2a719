export type { Context, SettingsSource } from "./context.ts";
export {
  agentNames,
  agentOf,
  toolPrefixOf,
  agentSessionId,
  agentTitles,
  keptAgents,
  otherAgents,
  agentHeader,
  agentInEnv,
  headlessTag,
  isHeadlessEntry,
  isHeadlessEnv,
  type AgentName,
  type KeptAgent,
  type OtherAgent,
} from "./agent.ts";
export { agentNoteTag } from "./agent-notes.ts";
export type { AgentNotesFile, AgentNotesPlace, AgentNotesPort } from "./agent-notes.ts";
export { anchorsIn, anchorsMax, anchorText, worstState } from "./anchor.ts";
export type {
  Anchor,
  AnchorState,
  Checkout,
  CodeHistory,
  CodePort,
  DefaultBranch,
} from "./anchor.ts";
export {
  communicationUri,
  isExchange,
  isSentence,
  treeRoot,
  categoryRules,
  isCategory,
  type Category,
  type CategoryRule,
} from "./category.ts";
export { storedLimits } from "./limits.ts";
export type {
  Activity,
  ActivityKind,
  ActivityLog,
  ActivityMarks,
  ActivityPlace,
  Breakdown,
  ChangeStep,
  Figures,
  SpanCount,
  MomentKind,
  RevisionLog,
  Timeline,
  TimelineEntry,
  TimelineFilter,
  TimelinePlace,
} from "./activity.ts";
export { isWork } from "./activity.ts";
export {
  attributed,
  clientStarts,
  clientTags,
  isInjectedTag,
  isPlan,
  isShownAsPlan,
  planPut,
  requestIn,
} from "./client-text.ts";
export { answeredIn, answeredText, optionsOf, planIn, planText, questionsIn } from "./answered.ts";
export type { Answered } from "./answered.ts";
export { holdsForgotten } from "./forgotten.ts";
export {
  questionsFor,
  agentCliNames,
  isAgentCli,
  modelFolderName,
  type JsonSchema,
  type Llm,
  type LlmCall,
  type LlmError,
  type LastCall,
  type LlmLedger,
  type AgentCliName,
  type LlmPurpose,
  type LlmReply,
  type LlmRequest,
  type LlmUsage,
  type Provider,
  type ProviderCall,
  type ProviderError,
  type ProviderName,
} from "./llm.ts";
export { isRefusedCall, isRemark, refusedCall, remarkTool, remarkUses } from "./remark.ts";
export { commandLine, commitSubject, printsFiles } from "./shell-command.ts";
export type {
  Calibration,
  Embedder,
  EmbedderIdentity,
  Interactions,
  RemoteEmbedder,
  VectorIndex,
  VectorStore,
} from "./embedder.ts";
export { answeredEvents, confirmPath, hookNameByClientEvent } from "./event.ts";
export type { HookEnvelope, HookName, HookReply, NamedProject, ProjectIdentity } from "./event.ts";
export type {
  DocumentKind,
  Explanation,
  FindFilters,
  PlainFilter,
  FindQuery,
  FoundDocument,
  LeafKind,
} from "./find.ts";
export type { ForeignDatabase, ForeignError, ForeignQuery, ForeignRow } from "./foreign.ts";
export { homelessLine, homePaths, homeRoot, userHome } from "./home.ts";
export type { DaemonRecord, HomePaths } from "./home.ts";
export { importSources } from "./imports.ts";
export type { ImportLedger, ImportMark, ImportReport, ImportSource } from "./imports.ts";
export { modelJobKinds } from "./job.ts";
export type { Job, JobDraft, JobKind, JobLane } from "./job.ts";
export type {
  Candidate,
  Evidence,
  Link,
  Maker,
  MemoryNode,
  NodeDraft,
  NodeHead,
  NodeOutline,
  NodePatch,
  NodeStatus,
  NodeType,
  Origin,
  Relation,
  Revision,
  RevisionAction,
  RevisionCause,
  RevisionFields,
} from "./node.ts";
export { embeddedText, orderedAgain, untilMergedTag } from "./node.ts";
export type {
  DigestEntry,
  ForgetEntry,
  LinkEntry,
  MemoryEntry,
  Due,
  Stamp,
  Statement,
  SyncEntry,
  SyncHead,
  SyncLink,
  SyncMark,
  SyncSubject,
  SyncTables,
  UseEntry,
  Wording,
} from "./sync.ts";
export { portableFormat } from "./portable.ts";
export type { PortableRecord, PortableStore, PortableValue, PutOutcome } from "./portable.ts";
export { storedLine } from "./moment.ts";
export { backgroundWord } from "./upkeep.ts";
export type { BackgroundTask, FutureDates, SpoolSize, UpkeepRun } from "./upkeep.ts";
export {
  memoryBlockTag,
  type GateDep,
  type GatedText,
  type PrivacyGate,
  type PrivateWords,
} from "./privacy.ts";
export type {
  Checkpoint,
  CheckpointFields,
  CheckpointTrigger,
  EvaluationType,
  FormerObservation,
  ObservationType,
  Session,
  SessionStatus,
  ToolUse,
  Turn,
  TurnStatus,
} from "./session.ts";
export { emptyCheckpoint } from "./session.ts";
export {
  heirOf,
  ownProject,
  labelled,
  projectLabels,
  boundedKey,
  foldedKey,
  projectNameOf,
  type ProjectFacts,
  type ProjectRules,
  type ProjectStore,
} from "./projects.ts";
export type { NoteLine, NotesHere, NotesPlace, NotesPort, NotesStore } from "./notes.ts";
export { openEndKey, openEndsIn } from "./open-ends.ts";
export type { OpenEndsState, OpenEndsStore } from "./open-ends.ts";
export { isTrustedPlace } from "./place.ts";
export type { History, Place, PlaceDeps, PlaceStore } from "./place.ts";
export { canonicalFolder, folderKey } from "./folder.ts";
export type { OpenError } from "./open-error.ts";
export { backfillState, saveBackfillTotal } from "./backfill.ts";
export { boringTools, defaultSettings } from "./settings.ts";
export type { EmbedderSettings, LlmSettings, Settings } from "./settings.ts";
export { failureLineOf, codesIn, printedFailureOf } from "./failure-line.ts";
export type { FailureLine } from "./failure-line.ts";
export { injectionFeedbacks, isDelivered, undeliveredCauses } from "./journal.ts";
export type {
  EventLog,
  Exposure,
  ExposureChannel,
  ExposureJournal,
  InjectionChannel,
  InjectionFeedback,
  InjectionFilter,
  InjectionHead,
  InjectionRecord,
  Withheld,
} from "./journal.ts";
export type {
  JobQueue,
  LexicalHit,
  LexicalIndex,
  NodeFilter,
  NodeStore,
  Page,
  SessionFilter,
  SessionStore,
  SessionUpdate,
  Store,
  StoreAdmin,
  StoreDep,
} from "./store.ts";
export type { Forgotten, NodeNames, NodeSort, SessionNames } from "./names.ts";
export { idOfShort, shortIdOf } from "./short-id.ts";
export {
  activityKinds,
  categories,
  checkpointTriggers,
  defaultPort,
  documentKinds,
  evaluationTypes,
  hookNames,
  injectionChannels,
  leafKinds,
  loopbackHost,
  makers,
  memoryCategories,
  momentKinds,
  nodeStatuses,
  nodeTypes,
  nowHeader,
  observationTypes,
  origins,
  relations,
  revisionActions,
  sessionStatuses,
  shownStatuses,
  turnStatuses,
} from "./vocabulary.ts";
export type {
  TeamMute,
  TeamRow,
  TeamRule,
  TeamShare,
  TeamTables,
  TeamTrust,
} from "./team-tables.ts";
export { teamCategories } from "./team.ts";
export type {
  TeamCategory,
  TeamInbox,
  TeamItem,
  TeamOutbox,
  TeamProject,
  TeamSender,
  TeamText,
} from "./team.ts";
export { guardDecisions, guardStates, toolOf } from "./guard.ts";
export type {
  ActiveGuard,
  Guard,
  GuardDecision,
  GuardForm,
  GuardSaying,
  GuardState,
  GuardStore,
} from "./guard.ts";
export { memoryKinds, type MemoryKind } from "./vocabulary.ts";
