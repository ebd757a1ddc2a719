/** Reads shell commands: the subject of the commit that one made, and whether one prints files. Pure. */
import { oneLine } from "#kit";

/** As git repeats it; else as the command has it. Empty when neither says it (`git commit -m "$MSG"`). */
export function commitSubject(command: string, output: string): string {
  const told = /^\[[^\]\n]{1,120} [0-9a-f]{7,40}\] (.+)$/mu.exec(output)?.[1];
  const [, end, heredoc, double, single, bare] = message.exec(command) ?? [];
  const typed = (heredoc ?? double ?? single ?? bare)?.replace(trailers, "");
  const subject = oneLine(told ?? (end === undefined ? typed : typed?.split(` ${end}`)[0]) ?? "");
  return subject.startsWith("$") ? "" : subject;
}

/**
 * A command in one line, as records keep it, without what a commit's message says below its subject: nobody could tell
 * the two apart there.
 */
export const commandLine = (command: string): string =>
  oneLine(command.replace(hereBody, "$1 $4 $2$3").replace(quotedBody, "$1$2"));

const commit = String.raw`\bgit\b[^;&|\n]{0,80}?\bcommit\b[^;&|\n]{0,80}?\s`;
const hereDocument = String.raw`(?:-\w*m\s*"?\$\(cat\s+|-F\s*-\s*)<<-?\s*\\?['"]?`;

/** The message behind `git commit -m`: a here-document, also of `-F -`, quoted either way, or one word. */
const message = new RegExp(
  String.raw`${commit}(?:${hereDocument}(\w+)\b['"]?\s*([^\n]{3,200})|-\w*m\s*(?:"((?:[^"\\]|\\.){3,200})"` +
    String.raw`|'([^']{3,200})'|([^\s"'$;&|]{3,80})))`,
  "u",
);
const hereBody = new RegExp(
  String.raw`(${commit}${hereDocument}(\w+)['"]?)([^\n]*)\n\s*([^\n]+)\n[\s\S]*?(?:^\s*\2\b|$(?![\s\S]))`,
  "mu",
);
const quotedBody = new RegExp(
  String.raw`(${commit}-\w*m\s*(["'])(?!\$\()(?:(?!\2)[^\n])+)\n[\s\S]*?(?:\2|$(?![\s\S]))`,
  "mu",
);
const trailers = /\s(?:Co-Authored-By|Signed-off-by|Entire-Checkpoint|EOF\b).*$/su;

// Shell commands whose output is file content or a listing: reading in another dress. Pure.

const readers =
  "cat|bat|head|tail|less|more|nl|tac|xxd|hexdump|strings|od|grep|egrep|rg" +
  "|ag|awk|sed|jq|yq|ls|tree|find|fd|printenv|env|curl|wget|http|make\\s+env";

/** The start of a command that reads files: behind a single pipe it only shortens what another one printed. */
const reads = new RegExp(
  String.raw`(?:^|[;&({\n\x60]\s*|\|\|\s*|\b(?:sudo|do|then|else)\s+|\bxargs\s+(?:-\S+\s+)*)(?:${readers})\b`,
);

export const printsFiles = (command: string): boolean => reads.test(command);

// The error in the output of a failed tool: its telling line, without what differs from one run to the next. Pure.

export interface FailureLine {
  /** One line, as it was printed, without terminal codes. */
  readonly text: string;
  /** Names that only this kind of failure has, in lower case: `econnrefused`, `ts2345`, `modulenotfounderror`. */
  readonly codes: readonly string[];
}

/** Lines looked at, from each end: a failure is named first or last. */
const linesMax = 40;
const lineCharsMax = 400;

// eslint-disable-next-line no-control-regex
const terminalCodes = /\u001B\[[0-9;?]*[A-Za-z]/g;

/** Words that say a line tells of a failure, in the tools' own English. */
const tells = new RegExp(
  String.raw`\b(?:errors?|exception|fatal|failed|failure|panic(?:ked)?|denied|refused|rejected|cannot|can't` +
    String.raw`|could not|couldn't|unable|not found|no such|missing|undefined|unknown|invalid|unexpected|timed? ?out` +
    String.raw`|timeout|conflict|abort(?:ed)?|killed|violates?|unsupported|deprecated|mismatch|expected)\b`,
  "i",
);

/** Names that no other line has. */
const named = /\bE[A-Z]{5,}\b|\b[A-Z]\w*(?:Error|Exception|Failure)\b|\bERR[_!]/;

/** `ECONNREFUSED`, `TS2345`, `E0382`, `PGRST116`, `ERR_MODULE_NOT_FOUND`, `ModuleNotFoundError`, `SQLITE_BUSY`. */
const codeShape = new RegExp(
  String.raw`\b(?:E[A-Z]{3,}[A-Z0-9]*|[A-Z]{1,6}-?\d{3,6}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+` +
    String.raw`|[A-Z][a-zA-Z]*(?:Error|Exception|Warning|Failure))\b`,
  "g",
);

/** Names of failures of every kind: that two of them are "Error" tells nothing. */
const plainCodes: ReadonlySet<string> = new Set([
  "error",
  "exception",
  "errors",
  "eslint",
  "exit",
  "expected",
  "empty",
  "export",
  "example",
  "runtimeerror",
  "runtimeexception",
  "assertionerror",
  "calledprocesserror",
  "typeerror",
  "valueerror",
  "syntaxerror",
  "referenceerror",
  "nullpointerexception",
  "err_assertion",
]);

/**
 * The line of a failed tool's text that says most about why: one with a code before one that only tells of an error,
 * the first before the last. Null when none tells anything, as where a test runner only counts.
 */
export function failureLineOf(text: string): FailureLine | null {
  const lines = text
    .replace(terminalCodes, "")
    .split("\n")
    .map((line) => line.trim().slice(0, lineCharsMax))
    .filter((line) => line !== "");
  const looked =
    lines.length <= 2 * linesMax ? lines : [...lines.slice(0, linesMax), ...lines.slice(-linesMax)];
  const telling = looked
    .filter((line) => tells.test(line) || named.test(line))
    .map((line) => ({ text: line, codes: codesIn(line) }));
  return telling.find(({ codes }) => codes.length > 0) ?? telling[0] ?? null;
}

/** Beginnings of lines in which a program says that it failed. */
const saysFailure =
  /^(?:[\w./-]+: )?(?:-{3} )?(?:[Ee]rror|ERROR|[Ff]atal|panic|FAIL(?:ED)?)(?:\[\w+\])?[:\s]/;

/**
 * The first line by which a command says that it failed, whatever its exit status: that of `test | tail` is tail's.
 * Null when none does.
 */
export const printedFailureOf = (text: string): string | null =>
  text
    .replace(terminalCodes, "")
    .split("\n")
    .map((line) => line.trim().slice(0, lineCharsMax))
    .find((line) => saysFailure.test(line)) ?? null;

/** The codes of a text in lower case, each once. */
export function codesIn(text: string): readonly string[] {
  const found = text.match(codeShape) ?? [];
  return [...new Set(found.map((code) => code.toLowerCase()))].filter(
    (code) => !plainCodes.has(code),
  );
}
