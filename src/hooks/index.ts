/**
 * Hooks: from a hook to a durable event (never thinks, never fails), and guards: what the agent is about to do,
 * held against what the user forbade (`guard/`). Light: a hook loads it.
 */
export {
  type AgentAdapter,
  fitted,
  type HookProcess,
  isHookSwitchedOff,
  isOlderVersion,
  renderAnswer,
  runHook,
} from "./hook.ts";
export {
  envelopesOf,
  envelopesOfRequest,
  type EventName,
  parseEnvelope,
  readSent,
  resolveEvent,
  sentHeader,
} from "./envelope.ts";
export { type AwayHook, createAwayHook } from "./away.ts";
export {
  areStartsHeldOff,
  clearStartMark,
  daemonEnvironment,
  holdOffStarts,
  isStartAwaited,
  startDaemon,
} from "./autostart.ts";
export { exclusionFor, folderAt, projectOf } from "./project.ts";
export { boundedText, realPath } from "./files.ts";
export { branchOf, findRepository, type Repository } from "./git.ts";
export { folderMark, historyAt } from "./history.ts";
export { lostNoteBytesMax, lostNoteHead, lostNotePath, noteLost } from "./spool-events.ts";
export { endPause, isPaused, pauseFile, readPauses, startPause } from "./pause.ts";
export { isOfPause } from "./paused-messages.ts";
export { isStopCarried } from "./gate-envelope.ts";
export {
  daemonTarget,
  type DaemonTarget,
  findSocket,
  fitsSocketPath,
  parseRecord,
  proofOf,
  socketFolderName,
  versionHeader,
} from "./socket.ts";
export { captureLimits } from "./limits.ts";
export {
  addOffRecordWords,
  addPrivateWords,
  clearPrivateTurn,
  inheritPrivateWords,
  isMarkedPrivate,
  isOffTheRecord,
  markOffTheRecord,
  markPrivateTurn,
  mayBePrivate,
  privateWordsOf,
  sweepPrivateMarks,
  turnStanding,
  withoutPrompt,
  withoutWords,
} from "./private-turn.ts";
export { addKnownSecrets, inheritKnownSecrets, knownSecretsOf } from "./known-secrets.ts";
export {
  adoptLeftovers,
  readSpooled,
  removeSpooled,
  reserveFile,
  setAside,
  spooledNames,
  spoolSize,
  sweepKeys,
} from "./spool.ts";
export { readStdin, writeText } from "./stdin.ts";
export { readGuardFile, writeGuardFile } from "./guard/file.ts";
export { guardAgainst, nowhere } from "./guard/match.ts";
export type { Places } from "./guard/match.ts";
export { placesOf } from "./guard/places.ts";
