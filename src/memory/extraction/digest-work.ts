/** Tells what a session worked on: the commits it made, the files it edited. Pure. */
import { commitSubject, type ToolUse } from "#domain";
import { cutAtWord } from "#kit";
import { filesInHandOf, type SessionMaterial } from "./checkpoint-files.ts";
import { isCommand } from "./tool-work.ts";

export interface Work {
  /** Subjects in order, each once. */
  readonly commits: readonly string[];
  /** Files of the project that were edited last, the latest first, relative to its folder. */
  readonly files: readonly string[];
  /** Numbers of the turns in which a file was edited or a command was run. */
  readonly turns: ReadonlySet<number>;
}

/** What git takes for a subject that is not too long. */
const subjectCharsMax = 72;

export function sessionWork(material: SessionMaterial): Work {
  const { turns, toolUses } = material;
  return {
    commits: commitsIn(toolUses),
    files: filesInHandOf(material).filter(isOfProject),
    turns: new Set([
      ...turns.filter(({ filesEdited }) => filesEdited.length > 0).map(({ n }) => n),
      ...toolUses.filter(isCommand).map(({ turn }) => turn),
    ]),
  };
}

/** Subjects of the commits that went well among these calls, in order, each once. */
export function commitsIn(toolUses: readonly ToolUse[]): readonly string[] {
  const subjects = toolUses.flatMap((use) => {
    if (!isCommand(use) || use.outcome !== "ok" || !/\bgit\b.*\bcommit\b/su.test(use.target ?? ""))
      return [];
    const subject = commitSubject(use.target ?? "", use.text ?? "");
    return subject === "" ? [] : [cutAtWord(subject, subjectCharsMax)];
  });
  return [...new Set(subjects)];
}

/** Plans and notes of the client lie in a hidden folder of the home, scratch files in /tmp. */
const isOfProject = (path: string): boolean =>
  !/^(?:[\\/](?:private[\\/])?(?:var[\\/])?tmp[\\/]|(?:[\\/]|[A-Za-z]:).*[\\/]\.)/u.test(path);
