/** The subject of a commit, from the command that made it and what git printed. Pure. */
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

/** What stands behind `git commit -m`: a here-document, also of `-F -`, quoted either way, or one word. */
const message = new RegExp(
  String.raw`${commit}(?:${hereDocument}(\w+)['"]?\s*([^\n]{3,200})|-\w*m\s*(?:"((?:[^"\\]|\\.){3,200})"` +
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
