/** What was done, for people: one step a line. Wording only; must not decide or touch anything. */
import { type Result, unreachable } from "#kit";
import type { SetupError, SetupReport } from "./change.ts";

export interface SetupStep {
  /** `would`: in a dry run. */
  readonly state: "done" | "unchanged" | "would" | "failed" | "note";
  readonly text: string;
}

export interface SetupSteps {
  readonly failed: boolean;
  readonly steps: readonly SetupStep[];
}

/** The steps of an install or uninstall, its backup and warnings; of a dry run the difference as the last one. */
export function stepsOf(result: Result<SetupReport, SetupError>): SetupSteps {
  if (!result.ok) {
    return { failed: true, steps: [{ state: "failed", text: explain(result.error) }] };
  }
  const { settingsPath, outcome, changes, backup, diff, warnings } = result.value;
  const state = outcome === "would-change" ? "would" : "done";
  const steps: readonly SetupStep[] =
    outcome === "unchanged"
      ? [{ state: "unchanged", text: `${settingsPath}: nothing to change` }]
      : changes.map((change) => ({ state, text: `${settingsPath}: ${change}` }));
  return {
    failed: false,
    steps: [
      ...steps,
      ...(backup === null ? [] : [note(`the file as it was: ${backup}`)]),
      ...warnings.map(note),
      ...(diff === "" ? [] : [note(diff)]),
    ],
  };
}

const note = (text: string): SetupStep => ({ state: "note", text });

/** What is wrong, and what to do next. */
function explain(error: SetupError): string {
  switch (error.type) {
    case "setup.broken-json":
      return (
        `${error.path}:${error.line}:${error.column}: not valid JSON (${error.detail}). Nothing ` +
        "was changed. Correct the file, then run the command again."
      );
    case "setup.unexpected-shape":
      return (
        `${error.path}:${error.line}:${error.column}: ${error.detail}. Nothing was changed. Correct it, then ` +
        "run the command again."
      );
    case "setup.not-utf8":
      return `${error.path} is not UTF-8 text. Nothing was changed. Save it as UTF-8, then run the command again.`;
    case "setup.binary-not-absolute":
      return `The program's path must be absolute, not "${error.path}".`;
    case "setup.read-only":
      return (
        `${error.path} is read-only. Nothing was changed. Make it writable (\`chmod u+w\`), or, ` +
        `where another program writes it, add there what \`continuity install --dry-run\` shows.`
      );
    case "setup.outside":
      return (
        `${error.path} leads out of the project to ${error.target}. Nothing was changed. Remove ` +
        `that symlink, or install for yourself without \`--project\`.`
      );
    case "setup.changed-meanwhile":
      return (
        `${error.path} was changed by another program just now. Continuity changed nothing. Run ` +
        "the command again."
      );
    case "setup.file-failed":
      return `${error.path}: ${error.detail}. Check its permissions, then run the command again.`;
    default:
      return unreachable(error);
  }
}
