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

// Shell commands whose output is file content or a listing: reading in another dress. Pure.

const readers =
  "cat|bat|head|tail|less|more|nl|tac|xxd|hexdump|strings|od|grep|egrep|rg" +
  "|ag|awk|sed|jq|yq|ls|tree|find|fd|printenv|env|curl|wget|http|make\\s+env";

/** Where a command begins that reads files: behind a single pipe it only shortens what another one printed. */
const reads = new RegExp(
  String.raw`(?:^|[;&({\n\x60]\s*|\|\|\s*|\b(?:sudo|do|then|else)\s+|\bxargs\s+(?:-\S+\s+)*)(?:${readers})\b`,
);

export const printsFiles = (command: string): boolean => reads.test(command);
