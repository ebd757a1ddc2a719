/** The table of commands, in the order of the help text. A command stands here once its feature exists. */
import type { CommandSpec } from "../spec.ts";
import { archiveCommand, contextCommand, sessionsCommand } from "./archive.ts";
import { completeCommand, completionCommand } from "./completion.ts";
import { configCommand, versionCommand } from "./config.ts";
import { consolidateCommand, reviewCommand } from "./review.ts";
import { backupCommand, exportCommand, restoreCommand } from "./keep.ts";
import { doctorCommand } from "./doctor.ts";
import { editCommand, historyCommand, undoCommand } from "./undo.ts";
import { findCommand } from "./find.ts";
import { forgetCommand } from "./forget.ts";
import { guardsCommand } from "./guards.ts";
import { whyCommand } from "./why.ts";
import { importCommand } from "./import.ts";
import { listCommand, timelineCommand } from "./list.ts";
import {
  demoCommand,
  flushCommand,
  hookCommand,
  mcpCommand,
  serveCommand,
  statusLineCommand,
  uiCommand,
} from "./plumbing.ts";
import { projectCommand } from "./project.ts";
import { rememberCommand } from "./remember.ts";
import { installCommand, uninstallCommand } from "./setup.ts";
import { showCommand } from "./show.ts";
import { shareCommand } from "./share.ts";
import { syncCommand } from "./sync.ts";
import { teamCommand } from "./team.ts";
import { pauseCommand } from "./pause.ts";
import { statsCommand } from "./stats.ts";
import { statusCommand } from "./status.ts";
import type { CliDeps } from "../deps.ts";
import { runTable } from "../run.ts";

export const commands: readonly CommandSpec[] = [
  findCommand,
  listCommand,
  showCommand,
  rememberCommand,
  editCommand,
  forgetCommand,
  undoCommand,
  reviewCommand,
  whyCommand,
  statusCommand,
  doctorCommand,
  installCommand,
  importCommand,
  exportCommand,
  backupCommand,
  syncCommand,
  teamCommand,
  configCommand,
  uiCommand,
  historyCommand,
  sessionsCommand,
  timelineCommand,
  contextCommand,
  statsCommand,
  pauseCommand,
  guardsCommand,
  projectCommand,
  shareCommand,
  consolidateCommand,
  restoreCommand,
  archiveCommand,
  uninstallCommand,
  completionCommand,
  serveCommand,
  mcpCommand,
  flushCommand,
  demoCommand,
  hookCommand,
  statusLineCommand,
  versionCommand,
  completeCommand(() => commands),
];

export const runCli = (deps: CliDeps): Promise<number> =>
  runTable({ commands, forms: () => import("#api/forms") }, deps);
