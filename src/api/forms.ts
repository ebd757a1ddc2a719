/**
 * The forms of answers: what the HTTP API answers, what `--json` prints and what every other client sees. Field names
 * are stable and match the columns of the schema where there is one. Times are epoch milliseconds, `project` is a
 * project key (null = everywhere), scores run from 0 to about 1.
 *
 * Types come from here too, by `#api`. This door is imported when a form is asked for: zod takes a moment to load.
 */
import {
  contradictedForm,
  diffForm,
  evidencePageForm,
  graphForm,
  historyForm,
  reviewedForm,
  reviewForm,
  reviewPageForm,
  restoredAsOfForm,
  stepListForm,
  undoneForm,
} from "./forms-history.ts";
import {
  guardForm,
  guardListForm,
  guardTestForm,
  injectionDetailForm,
  injectionListForm,
  openForm,
  previewForm,
  todayForm,
  worthForm,
} from "./forms-given.ts";
import {
  bulkForm,
  forgottenForm,
  memoryPageForm,
  nodeForm,
  profileForm,
  endedForm,
  rememberedForm,
  treeForm,
} from "./forms-memory.ts";
import {
  configForm,
  configItemForm,
  doctorForm,
  healthForm,
  importStateForm,
  linkCodeForm,
  logsForm,
  pauseForm,
  proofForm,
  rotatedForm,
  statsForm,
  statusForm,
  statusLineForm,
  tokenForm,
} from "./forms-reports.ts";
import { fedTurnForm, feedForm, feedPageForm, searchForm, timelineForm } from "./forms-search.ts";
import { contextForm, sessionDetailForm, sessionPageForm, whyForm } from "./forms-session.ts";
import {
  backfillForm,
  backfillQueuedForm,
  consolidationForm,
  jobsChangedForm,
  jobsForm,
  placeForm,
  projectForm,
  projectsForm,
  trialForm,
  usageForm,
} from "./forms-work.ts";

/** Every form that a route answers, by its name in the API's description. */
export const answerForms = {
  BulkJson: bulkForm,
  OpenJson: openForm,
  TodayJson: todayForm,
  InjectionListJson: injectionListForm,
  InjectionDetailJson: injectionDetailForm,
  PreviewJson: previewForm,
  StatsJson: statsForm,
  WorthJson: worthForm,
  UsageJson: usageForm,
  SessionPageJson: sessionPageForm,
  SessionDetailJson: sessionDetailForm,
  ContextJson: contextForm,
  WhyJson: whyForm,
  ProfileJson: profileForm,
  JobsJson: jobsForm,
  JobsChangedJson: jobsChangedForm,
  TrialJson: trialForm,
  StatusJson: statusForm,
  StatusLineJson: statusLineForm,
  BackfillJson: backfillForm,
  BackfillQueuedJson: backfillQueuedForm,
  PlaceJson: placeForm,
  ProjectJson: projectForm,
  ProjectsJson: projectsForm,
  ConsolidationJson: consolidationForm,
  HealthJson: healthForm,
  LogsJson: logsForm,
  PauseJson: pauseForm,
  ConfigItemJson: configItemForm,
  ConfigJson: configForm,
  DiffJson: diffForm,
  DoctorJson: doctorForm,
  EvidenceJson: evidencePageForm,
  FedTurnJson: fedTurnForm,
  FeedJson: feedForm,
  FeedPageJson: feedPageForm,
  ForgottenJson: forgottenForm,
  GraphJson: graphForm,
  GuardJson: guardForm,
  GuardListJson: guardListForm,
  GuardTestJson: guardTestForm,
  RestoredAsOfJson: restoredAsOfForm,
  StepListJson: stepListForm,
  UndoneJson: undoneForm,
  HistoryJson: historyForm,
  ImportStateJson: importStateForm,
  LinkCodeJson: linkCodeForm,
  MemoryPageJson: memoryPageForm,
  NodeJson: nodeForm,
  ProofJson: proofForm,
  RememberedJson: rememberedForm,
  EndedJson: endedForm,
  ContradictedJson: contradictedForm,
  ReviewJson: reviewForm,
  ReviewPageJson: reviewPageForm,
  ReviewedJson: reviewedForm,
  RotatedJson: rotatedForm,
  SearchJson: searchForm,
  TimelineJson: timelineForm,
  TokenJson: tokenForm,
  TreeJson: treeForm,
};

export { fieldsOf, promisedOf } from "./form.ts";
export { revisionForm } from "./forms-history.ts";
export { memoryForm, treeEntryForm } from "./forms-memory.ts";
export { timelineItemForm } from "./forms-search.ts";
export { sessionForm } from "./forms-session.ts";
export { doctorForm } from "./forms-reports.ts";
