export { assert, unreachable } from "./assert.ts";
export {
  isoDate,
  isoTime,
  msPerDay,
  msPerHour,
  msPerMinute,
  msPerSecond,
  isTime,
  parseNow,
  stoppedClock,
  systemClock,
} from "./clock.ts";
export { dayStart, fromClock, localDate, localTime, offsetsOf, ownZone, toClock } from "./zone.ts";
export type { ZoneOffsets } from "./zone.ts";
export type { Clock, ClockDep } from "./clock.ts";
export { parseDuration } from "./duration.ts";
export { createFileLog, tailLog } from "./file-log.ts";
export type { FileLogOptions } from "./file-log.ts";
export { sha256, systemRandom } from "./hash.ts";
export type { Random } from "./hash.ts";
export { silentLog } from "./log.ts";
export type { Log, LogDep, LogFields, LogLevel } from "./log.ts";
export { memoised } from "./memo.ts";
export { nearestOf } from "./nearest.ts";
export { listedVariables } from "./process-env.ts";
export { err, ok } from "./result.ts";
export type { Result } from "./result.ts";
export { spansOf } from "./spans.ts";
export { tagsIn } from "./tags.ts";
export type { Tag } from "./tags.ts";
export {
  bothEnds,
  cutAtWord,
  cutToTokens,
  hasUnspaced,
  letterPairs,
  pictureWords,
  oneLine,
  shellLine,
  shellWord,
  tokensOf,
  unspacedLetters,
} from "./text.ts";
export { seenPartOf, stripInvisible } from "./invisible-text.ts";
export type { SeenText } from "./invisible-text.ts";
export { wrongValue } from "./wrong-value.ts";
