/** CLAUDE.md as `promote` changes it: looked at, shown as a diff, and written whole or not at all. */
import { statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import {
  clientFolder,
  hasClientFolder,
  lineDiff,
  ruleItem,
  setupFiles,
  withoutRule,
  withRule,
} from "#clients";
import { CliFailure, type InstructionsAsk, type InstructionsChange, isCliFailure } from "#cli";
import { noteStatements } from "#memory";

const bytesMax = 1_024 * 1_024;
const newMode = 0o644;

type Env = Readonly<Record<string, string | undefined>>;

/** Plans the change that `promote` makes; its `write` makes it. */
export function planInstructions(env: Env, ask: InstructionsAsk): InstructionsChange {
  try {
    return plan(env, ask);
  } catch (error) {
    throw isCliFailure(error) ? error : new CliFailure("could not read the file", reasonOf(error));
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : "unknown");

function plan(env: Env, ask: InstructionsAsk): InstructionsChange {
  const { path, note } = placeOf(env, ask);
  const before = textAt(path);
  const after = changed(before, ask, path);
  const isNews = after !== before;
  if (isNews && before !== null && setupFiles.isReadOnly(path))
    throw new CliFailure(
      `${path} is read-only`,
      `allow it with \`chmod u+w\`, or name another file`,
    );
  return {
    path,
    diff: isNews ? lineDiff(before ?? "", after ?? "") : "",
    note,
    write: () => {
      if (isNews) write(path, before, after);
    },
  };
}

/** `placeOf` gives the file's place, links followed. */
function placeOf(
  env: Env,
  { root, file }: InstructionsAsk,
): { readonly path: string; readonly note: string } {
  if (root === null && !hasClientFolder(env))
    throw new CliFailure("it is not known where Claude Code keeps your files", "set HOME");
  const folder = root ?? clientFolder(env);
  const name = file ?? "CLAUDE.md";
  const named = resolve(folder, name);
  if (!isBelow(folder, named) || isAbsolute(name) || !/\.md$/iu.test(name))
    throw new CliFailure(`${name} is no Markdown file below ${folder}`, "name another with --file");
  const path = setupFiles.target(named);
  const leadsOut = !isBelow(setupFiles.target(folder), path);
  const note =
    `${named} is a link that leads out of its folder: Continuity does not read it, ` +
    "and still gives the memory";
  return { path, note: leadsOut ? note : "" };
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Null when there is no file. A byte order mark is part of the text. */
function textAt(path: string): string | null {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return null;
  if (!facts.isFile())
    throw new CliFailure(`${path} is no regular file`, "name another with --file");
  if (facts.size > bytesMax) throw new CliFailure(`${path} has more than 1 MB`, "shorten it first");
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return decoder.decode(setupFiles.read(path) ?? new Uint8Array());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CliFailure(
      `${path} is not UTF-8 text`,
      "convert it first, or name another with --file",
    );
  }
}

/** The text as it will be; null = no file. */
function changed(
  before: string | null,
  { l0, back }: InstructionsAsk,
  path: string,
): string | null {
  const item = ruleItem(l0);
  if (back) {
    const without = before === null ? ({ type: "missing" } as const) : withoutRule(before, item);
    if (without.type === "text") return without.text;
    if (without.type === "remove") return null;
    throw new CliFailure(
      `${path} has no line that was put in for this memory`,
      "if you changed the line, take it out by hand",
    );
  }
  const after = withRule(before, item);
  if (after === null) return before;
  const said = noteStatements(item)[0]?.text;
  if (noteStatements(after).some(({ text }) => text === said)) return after;
  throw new CliFailure(`a code block or comment in ${path} is not closed`, "close it first");
}

function write(path: string, before: string | null, after: string | null): void {
  try {
    if (textAt(path) !== before)
      throw new CliFailure(`${path} was changed meanwhile`, "run the command again");
    if (after === null) setupFiles.remove(path);
    else setupFiles.replace(path, new TextEncoder().encode(after), newMode);
  } catch (error) {
    if (isCliFailure(error)) throw error;
    throw new CliFailure(
      `could not write ${path}: ${reasonOf(error)}`,
      `see the rights of ${dirname(path)}`,
    );
  }
}
