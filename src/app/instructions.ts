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
import type { CliError, InstructionsAsk, InstructionsChange, InstructionsPort } from "#cli";
import { err, ok, type Result } from "#kit";
import { noteStatements } from "#memory";

const bytesMax = 1_024 * 1_024;
const newMode = 0o644;

type Env = Readonly<Record<string, string | undefined>>;

export const createInstructions = (env: Env): InstructionsPort => ({
  plan: (ask) => {
    try {
      return plan(env, ask);
    } catch (error) {
      return err(failed("could not read the file", reasonOf(error)));
    }
  },
});

const failed = (message: string, next: string): CliError => ({ type: "promote", message, next });

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : "unknown");

function plan(env: Env, ask: InstructionsAsk): Result<InstructionsChange, CliError> {
  const place = placeOf(env, ask);
  if (!place.ok) return place;
  const { path, note } = place.value;
  const read = textAt(path);
  if (!read.ok) return read;
  const before = read.value;
  const after = changed(before, ask, path);
  if (!after.ok) return after;
  const isNews = after.value !== before;
  if (isNews && before !== null && setupFiles.isReadOnly(path))
    return err(failed(`${path} is read-only`, `allow it with \`chmod u+w\`, or name another file`));
  return ok({
    path,
    diff: isNews ? lineDiff(before ?? "", after.value ?? "") : "",
    note,
    write: () => (isNews ? write(path, before, after.value) : ok(null)),
  });
}

/** `placeOf` gives the file's place, links followed. */
function placeOf(
  env: Env,
  { root, file }: InstructionsAsk,
): Result<{ readonly path: string; readonly note: string }, CliError> {
  if (root === null && !hasClientFolder(env))
    return err(failed("it is not known where Claude Code keeps your files", "set HOME"));
  const folder = root ?? clientFolder(env);
  const name = file ?? "CLAUDE.md";
  const named = resolve(folder, name);
  if (!isBelow(folder, named) || isAbsolute(name) || !/\.md$/iu.test(name))
    return err(failed(`${name} is no Markdown file below ${folder}`, "name another with --file"));
  const path = setupFiles.target(named);
  const leadsOut = !isBelow(setupFiles.target(folder), path);
  const note =
    `${named} is a link that leads out of its folder: Continuity does not read it, ` +
    "and still gives the memory";
  return ok({ path, note: leadsOut ? note : "" });
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Null when there is no file. A byte order mark is part of the text. */
function textAt(path: string): Result<string | null, CliError> {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return ok(null);
  if (!facts.isFile()) return err(failed(`${path} is no regular file`, "name another with --file"));
  if (facts.size > bytesMax) return err(failed(`${path} has more than 1 MB`, "shorten it first"));
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return ok(decoder.decode(setupFiles.read(path) ?? new Uint8Array()));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return err(
      failed(`${path} is not UTF-8 text`, "convert it first, or name another with --file"),
    );
  }
}

/** The text as it will be; null = no file. */
function changed(
  before: string | null,
  { l0, back }: InstructionsAsk,
  path: string,
): Result<string | null, CliError> {
  const item = ruleItem(l0);
  if (back) {
    const without = before === null ? ({ type: "missing" } as const) : withoutRule(before, item);
    if (without.type === "text") return ok(without.text);
    if (without.type === "remove") return ok(null);
    return err(
      failed(
        `${path} has no line that was put in for this memory`,
        "if you changed the line, take it out by hand",
      ),
    );
  }
  const after = withRule(before, item);
  if (after === null) return ok(before);
  const said = noteStatements(item)[0]?.text;
  return noteStatements(after).some(({ text }) => text === said)
    ? ok(after)
    : err(failed(`a code block or comment in ${path} is not closed`, "close it first"));
}

function write(path: string, before: string | null, after: string | null): Result<null, CliError> {
  try {
    const now = textAt(path);
    if (!now.ok) return now;
    if (now.value !== before)
      return err(failed(`${path} was changed meanwhile`, "run the command again"));
    if (after === null) setupFiles.remove(path);
    else setupFiles.replace(path, new TextEncoder().encode(after), newMode);
    return ok(null);
  } catch (error) {
    return err(
      failed(`could not write ${path}: ${reasonOf(error)}`, `see the rights of ${dirname(path)}`),
    );
  }
}
