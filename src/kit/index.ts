export { assert, unreachable, err, ok, type Result } from "./result.ts";
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
  parseDuration,
  type Clock,
  type ClockDep,
} from "./clock.ts";
export { dayStart, fromClock, localDate, localTime, offsetsOf, ownZone, toClock } from "./zone.ts";
export type { ZoneOffsets } from "./zone.ts";
export { createFileLog, tailLog } from "./file-log.ts";
export type { FileLogOptions } from "./file-log.ts";
export { sha256, systemRandom } from "./hash.ts";
export type { Random } from "./hash.ts";
export { silentLog } from "./log.ts";
export type { Log, LogDep, LogFields, LogLevel } from "./log.ts";
export { memoised } from "./memo.ts";
export { nearestOf, wrongValue } from "./wrong-value.ts";
export { listedVariables } from "./process-env.ts";
export {
  spansOf,
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
export { tagsIn } from "./tags.ts";
export type { Tag } from "./tags.ts";
export { seenPartOf, stripInvisible } from "./invisible-text.ts";
export type { SeenText } from "./invisible-text.ts";
