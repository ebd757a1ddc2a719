/** The subject of a commit, from the command that made it and what git printed. Pure. */
import { oneLine } from "#kit";

/**
 * As git repeats it; else as the command has it, of which a record may keep one line: its body follows the subject then.
 * Empty when neither says it (`git commit -m "$MSG"`).
 */
export function commitSubject(command: string, output: string): string {
  const told = /^\[[^\]\n]{1,120} [0-9a-f]{7,40}\] (.+)$/mu.exec(output)?.[1];
  const [, heredoc, double, single, bare] = message.exec(command) ?? [];
  const typed = (heredoc ?? double ?? single ?? bare)?.replace(trailers, "");
  const subject = oneLine(told ?? typed ?? "");
  return subject.startsWith("$") ? "" : subject;
}

/** What stands behind `git commit -m`: a here-document, quoted either way, or one word. */
const message =
  /\bgit\b[^;&|\n]{0,80}?\bcommit\b[^;&|\n]{0,80}?\s-\w*m\s*(?:"?\$\(cat <<-?\s*\\?['"]?\w+\\?['"]?\s*([^\n]{3,200})|"((?:[^"\\]|\\.){3,200})"|'([^']{3,200})'|([^\s"'$;&|]{3,80}))/u;
const trailers = /\s(?:Co-Authored-By|Signed-off-by|Entire-Checkpoint|EOF\b).*$/su;
