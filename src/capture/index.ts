/** Capture: from a hook to a durable event. Never thinks, never fails. */
export { fitted } from "./answer.ts";
export { resolveEvent } from "./arguments.ts";
export type { EventName } from "./arguments.ts";
export { createAwayHook } from "./away.ts";
export { joiningPath } from "./throw-away.ts";
export type { AwayDeps, AwayHook, AwaySettings } from "./away.ts";
export type { SpoolGate } from "./gate-envelope.ts";
export {
  areStartsHeldOff,
  clearStartMark,
  daemonEnvironment,
  holdOffStarts,
  startDaemon,
} from "./autostart.ts";
export type { StartInput, StartOutcome } from "./autostart.ts";
export { envelopesOf, parseEnvelope } from "./envelope.ts";
export type { EnvelopeInput } from "./envelope.ts";
export { exclusionFor } from "./exclusion.ts";
export { diskFiles } from "./files.ts";
export { branchOf, findRepository } from "./git.ts";
export type { Repository } from "./git.ts";
export type { ProjectFiles } from "./files.ts";
export { folderMark, historyAt } from "./history.ts";
export { lostNoteBytesMax, lostNoteHead, lostNotePath, noteLost } from "./lost.ts";
export { isPaused, pauseFile } from "./pause.ts";
export { proofOf, versionHeader } from "./hand-over.ts";
export { daemonTarget } from "./hand-over.ts";
export type { DaemonTarget } from "./hand-over.ts";
export { isHookSwitchedOff, runHook } from "./hook.ts";
export type { AgentAdapter, HookDeps } from "./hook.ts";
export { isRecord, textField } from "./json.ts";
export type { Json } from "./json.ts";
export { captureLimits } from "./limits.ts";
export {
  clearPrivateTurn,
  isMarkedPrivate,
  markPrivateTurn,
  mayBePrivate,
  sweepPrivateMarks,
  markOffTheRecord,
  turnStanding,
  withoutPrompt,
  withoutWords,
} from "./private-turn.ts";
export {
  addOffRecordWords,
  addPrivateWords,
  inheritPrivateWords,
  privateWordsOf,
} from "./private-words.ts";
export { folderAt, projectOf } from "./project.ts";
export { pathsOf } from "./slim.ts";
export { envelopesOfRequest } from "./request.ts";
export type { HookRequest } from "./request.ts";
export { findSocket, fitsSocketPath, parseRecord, socketFolderName } from "./socket.ts";
export type { SocketState } from "./socket.ts";
export {
  adoptLeftovers,
  readSpooled,
  removeSpooled,
  setAside,
  reserveFile,
  spooledNames,
  sweepKeys,
} from "./spool.ts";
export { spoolSize } from "./spool-size.ts";
export { readStdin, writeText } from "./stdin.ts";
export type { Input } from "./stdin.ts";
export { isOlderVersion } from "./version.ts";
