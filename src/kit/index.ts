export { assert, err, errorCode, errorMessage, ok, type Result, unreachable } from "./result.ts";
export {
  existingFolder,
  fileNamesIn,
  folderFault,
  readText,
  type WriteFault,
  writeFaultIn,
  writeWhole,
} from "./files.ts";
export { listedVariables } from "./environment.ts";
export {
  canonicalJson,
  isRecord,
  type Json,
  listOf,
  parseJson,
  recordOf,
  textField,
} from "./json.ts";
export { memoised } from "./memo.ts";
export { type Random, sha256, systemRandom } from "./hash.ts";
export {
  type Clock,
  dayStart,
  fromClock,
  isoDate,
  isoTime,
  isTime,
  letOthersIn,
  localDate,
  localTime,
  localZone,
  msPerDay,
  msPerHour,
  msPerMinute,
  msPerSecond,
  offsetsOf,
  ownZone,
  parseDuration,
  parseNow,
  stoppedClock,
  systemClock,
  toClock,
  type ZoneOffsets,
} from "./clock.ts";
export { createFileLog, type Log, type LogFields, silentLog, tailLog } from "./log.ts";
export { nearestOf, wrongValue } from "./wrong-value.ts";
export {
  spansOf,
  bothEnds,
  counted,
  cutAtWord,
  cutToTokens,
  hasUnspaced,
  letterPairs,
  pictureWords,
  oneLine,
  shellLine,
  shellWord,
  snakeCase,
  tokensOf,
  unspacedLetters,
} from "./text.ts";
export { seenPartOf, stripControls, stripInvisible, type Tag, tagsIn } from "./tags.ts";
export {
  aloneMark,
  nameMark,
  namesIn,
  tellingMarksOf,
  tellingMarksOfTask,
  tellingRunsIn,
  tellingWordsIn,
} from "./telling-words.ts";
export {
  createValueBook,
  foldedValue,
  isOneWord,
  isRareNumber,
  type KnownValues,
  knownValues,
  lengthsOf,
  shapeOf,
  withoutValues,
} from "./known-values.ts";
