/** The table of commands, in the order of the help text. A command stands here once its feature exists. */
import type { CommandSpec } from "../spec.ts";
import { contextCommand, sessionsCommand, whyCommand } from "./archive.ts";
import { completionCommand } from "./completion.ts";
import { configCommand, versionCommand } from "./config.ts";
import { consolidateCommand } from "./consolidate.ts";
import { backupCommand, exportCommand, restoreCommand } from "./keep.ts";
import { doctorCommand } from "./doctor.ts";
import { editCommand, pinCommand } from "./edit.ts";
import { findCommand, searchCommand } from "./find.ts";
import { forgetCommand } from "./forget.ts";
import { guardsCommand } from "./guards.ts";
import { importCommand } from "./import.ts";
import { listCommand } from "./list.ts";
import {
  demoCommand,
  flushCommand,
  hookCommand,
  mcpCommand,
  serveCommand,
  statusLineCommand,
} from "./plumbing.ts";
import { projectCommand } from "./project.ts";
import { rememberCommand } from "./remember.ts";
import { reviewCommand } from "./review.ts";
import { serviceCommand } from "./service.ts";
import { installCommand, uninstallCommand } from "./setup.ts";
import { historyCommand, profileCommand, showCommand, treeCommand } from "./show.ts";
import { promoteCommand } from "./promote.ts";
import { resumeCommand } from "./resume.ts";
import { shareCommand, unshareCommand } from "./share.ts";
import { syncCommand } from "./sync.ts";
import { teamCommand } from "./team.ts";
import { tokenCommand } from "./token.ts";
import { undoCommand } from "./undo.ts";
import { verifyCommand } from "./verify.ts";
import { uiCommand } from "./ui.ts";
import { upgradeCommand } from "./upgrade.ts";
import { timelineCommand } from "./timeline.ts";
import { diffCommand, linksCommand, revertCommand } from "./trust.ts";
import { archiveCommand } from "./transcripts.ts";
import { auditCommand, tuneCommand } from "./worth.ts";
import { jobsCommand, llmCommand, usageCommand } from "./work.ts";
import { logsCommand, pauseCommand, statsCommand, statusCommand } from "./upkeep.ts";

export const commands: readonly CommandSpec[] = [
  searchCommand,
  findCommand,
  listCommand,
  showCommand,
  treeCommand,
  profileCommand,
  rememberCommand,
  forgetCommand,
  editCommand,
  pinCommand,
  sessionsCommand,
  timelineCommand,
  whyCommand,
  contextCommand,
  uiCommand,
  historyCommand,
  diffCommand,
  revertCommand,
  undoCommand,
  verifyCommand,
  reviewCommand,
  guardsCommand,
  linksCommand,
  projectCommand,
  statusCommand,
  doctorCommand,
  statsCommand,
  auditCommand,
  tuneCommand,
  logsCommand,
  jobsCommand,
  usageCommand,
  llmCommand,
  consolidateCommand,
  backupCommand,
  restoreCommand,
  archiveCommand,
  exportCommand,
  pauseCommand,
  resumeCommand,
  importCommand,
  syncCommand,
  teamCommand,
  shareCommand,
  unshareCommand,
  promoteCommand,
  installCommand,
  uninstallCommand,
  serviceCommand,
  configCommand,
  completionCommand(() => commands),
  versionCommand,
  upgradeCommand,
  serveCommand,
  hookCommand,
  flushCommand,
  tokenCommand,
  mcpCommand,
  statusLineCommand,
  demoCommand,
];
