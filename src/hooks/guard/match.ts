/** Holds what the agent is about to do against a guard. Pure but for what `Places` looks up; linear in the command. */
import type { ActiveGuard, GuardForm } from "#domain";
import { type Program, programsOf, unaliased, usual } from "./programs.ts";
import { isLook, optionsOf, powerShellAsShell, wordsOf } from "./options.ts";
import { eachOf, homed, joinPath, readLine, unknown, type Variables } from "./shell.ts";
import { takesAll, writtenBy } from "./writes.ts";

/** The act that the agent is about to do. */
export interface Deed {
  /** The client's name of the tool. */
  readonly tool: string;
  /** A command line of the shell; null for other tools. */
  readonly command: string | null;
  /** A file that is to be written; null for other tools. */
  readonly path: string | null;
  readonly cwd: string;
  /** Top folder of the project: what lies above it does not count. */
  readonly root: string;
}

interface Guarded {
  readonly decision: ActiveGuard["decision"];
  readonly form: GuardForm;
}

/** Facts of the machine, looked up only where they decide. */
interface Machine {
  readonly env: Variables;
  /** A path without symlinks, as far as it is there; the path itself where nothing is known. */
  readonly realPath: (path: string) => string;
  /** The branch that is checked out; null = not known. */
  readonly branchOf: (folder: string) => string | null;
  /** Command that git runs for this word in this folder; null = no other one. */
  readonly gitAliasOf: (folder: string, word: string) => string | null;
}

/** The same, and which guards hold where. */
export interface Places<Guard extends Guarded = Guarded> extends Machine {
  /** Does the guard hold for what is done in this folder? */
  readonly isHeldIn: (guard: Guard, folder: string) => boolean;
}

/** Nothing is known, and every guard holds. */
export const nowhere: Places = {
  env: {},
  realPath: (path) => path,
  branchOf: () => null,
  gitAliasOf: () => null,
  isHeldIn: () => true,
};

/** All that a deed comes to, read once for any number of guards. */
interface Read {
  readonly programs: readonly Placed[];
  readonly writes: readonly string[];
  readonly root: string;
  readonly cwd: string;
  /** Part of the command that was too long to be read. */
  readonly rest: string;
}

/** The first guard that the deed is against; one that denies goes before one that asks. */
export function guardAgainst<Guard extends Guarded>(
  guards: readonly Guard[],
  deed: Deed,
  places: Places<Guard> = nowhere,
): Guard | null {
  if (guards.length === 0) return null;
  const read = readDeed(deed, places);
  const hits = guards.filter((guard) =>
    foldersAgainst(guard.form, read, places).some((folder) => places.isHeldIn(guard, folder)),
  );
  return hits.find(({ decision }) => decision === "deny") ?? hits[0] ?? null;
}

function readDeed(deed: Deed, places: Machine): Read {
  const { tool, path, cwd, root } = deed;
  if (deed.command === null)
    return {
      programs: [],
      writes: path === null ? [] : [joinPath(cwd, path)],
      root,
      cwd,
      rest: "",
    };
  const line = tool === "PowerShell" ? powerShellAsShell(deed.command) : deed.command;
  const { commands, rest } = readLine(line, cwd, places.env);
  const home = places.env["HOME"];
  return {
    programs: placed(
      commands
        .flatMap((command) => programsOf(command, places.env))
        .flatMap((program) => unaliased(program, places)),
    ),
    writes: commands.flatMap((one) =>
      one.writes.map((file) => joinPath(one.cwd, homed(file, home))),
    ),
    root,
    cwd,
    rest,
  };
}

/** A program with what earlier ones on the line chose for it. */
interface Placed extends Program {
  /** The branch that was checked out; null = none. */
  readonly branch: string | null;
  /** Words of what was selected or sourced: a context, a workspace, a file of settings. */
  readonly chosen: readonly string[];
}

function placed(programs: readonly Program[]): readonly Placed[] {
  let branch: string | null = null;
  const chosen: string[] = [];
  return programs.map((program) => {
    const one = { ...program, branch, chosen: [...chosen] };
    const words = wordsOf(program, 4);
    const [sub = ""] = words;
    if (
      program.name === "git" &&
      /^(?:checkout|switch)$/.test(sub) &&
      !program.args.includes("--")
    ) {
      const behind = program.args.slice(program.args.indexOf(sub) + 1);
      branch = behind.find((word) => !word.startsWith("-")) ?? branch;
    }
    if (/^(?:source|\.|kubectx)$/.test(program.name) || /use-context|select/.test(words.join(" ")))
      chosen.push(...program.args.slice(0, 20));
    return one;
  });
}

/** Folders in which the deed does what the form forbids. */
function foldersAgainst(form: GuardForm, read: Read, places: Machine): readonly string[] {
  const unread = read.rest !== "" && isNamedIn(form, read.rest) ? [read.cwd] : [];
  if (form.type === "write") return [...foldersWritten(form, read, places), ...unread];
  const against = read.programs.filter((program) =>
    isRun(form, program, { ...places, root: read.root }),
  );
  return [...against.map(({ cwd }) => cwd), ...unread];
}

/** Stands in what was too long to be read as a shell reads it. */
const isNamedIn = (form: GuardForm, text: string): boolean =>
  form.type === "write"
    ? text.includes(form.path.replace(/\*$/, ""))
    : form.commands.some((words) =>
        words.filter((word) => /^\w/.test(word)).every((word) => text.includes(word)),
      );

interface Looks {
  readonly branchOf: Machine["branchOf"];
  readonly root: string;
}

/** Their scripts have names of their own: `npm run test:e2e` is a test. */
const scriptRunners = new Set("npm pnpm yarn bun make just task rake".split(" "));

function isRun(
  { commands, near }: GuardForm & { type: "run" },
  program: Placed,
  looks: Looks,
): boolean {
  // A guard means another machine where it names it.
  if (program.isElsewhere && near.length === 0) return false;
  if (commands.every(([name = ""]) => name !== "*" && usual(name, []).name !== program.name))
    return false;
  const options = optionsOf(program);
  if (options.has("help") || options.has("dry-run")) return false;
  return (
    commands.some((words) => isCommand(words, program, options)) && isNear(near, program, looks)
  );
}

/**
 * The words of a command: plain ones in this order, options wherever they stand. `!-x`: without this option; `+` and
 * `:`: a branch that is forced or deleted; `~x`, `~x-y`: named in anything that it is told; `<x>`: any further word.
 */
function isCommand(
  command: readonly string[],
  program: Placed,
  options: ReadonlySet<string>,
): boolean {
  const [first = "", ...given] = command;
  const { name, args: rest } = usual(first, given);
  if (name !== "*" && name !== program.name) return false;
  if (rest.length === 0 && isLook(program, options)) return false;
  const words = rest.filter((word) => /^[\w.@/<]/.test(word));
  const named = wordsOf(program, words.length);
  const flags = rest.filter((word) => word.startsWith("-"));
  const wanted = [...optionsOf({ name, args: [...words, ...flags] })];
  return (
    words.every((word, at) => isWord(word, named[at], name)) &&
    wanted.every((one) => options.has(one)) &&
    rest.every((word) => !word.startsWith("!") || !options.has(word.replace(/^!-+/, ""))) &&
    rest.every(
      (word) =>
        !/^[+:]/.test(word) || program.args.some((arg) => arg.startsWith(word) && /^.\w/.test(arg)),
    ) &&
    rest.every((word) => !word.startsWith("~") || isTold(word.slice(1), program))
  );
}

const partsOf = (text: string): readonly string[] => text.toLowerCase().split(/[^a-z0-9]+/);
/** `toldIn` gives the words of a statement with their underscores: `drop_table_log` drops nothing. */
const toldIn = (text: string): readonly string[] =>
  /\s/.test(text.trim())
    ? text
        .toLowerCase()
        .replace(besideObject, "$1 ")
        .split(/[^a-z0-9_]+/)
    : partsOf(text);
/** Comments of SQL, and what may stand between `drop` and the kind of what is dropped. */
const besideObject =
  /(?<=\bdrop)(\s)(?:\s|\/\*[^*]*\*\/|(?:temp|temporary|global|local|unlogged|foreign|external)\s)+|--[^\n]*/g;
const isTold = (word: string, { args, fed, input }: Program): boolean =>
  [...args, ...fed, input].some((text) =>
    ` ${toldIn(text).join(" ")} `.includes(` ${word.replace("-", " ")} `),
  );

const isWord = (word: string, given: string | undefined, program: string): boolean => {
  // A file has an ending.
  if (word === "<branch>") return given !== undefined && /^[\w-]+(?:\/[\w-]+)*$/.test(given);
  if (word.startsWith("<")) return given !== undefined && !/^\.{0,2}(?:\/|$)/.test(given);
  return (
    word === given ||
    (given !== undefined &&
      scriptRunners.has(program) &&
      given.startsWith(word) &&
      /[:_-]/.test(given.charAt(word.length)))
  );
};

/** Names one of them: as a branch for git, as a part of any word or setting for others. */
function isNear(near: readonly string[], program: Placed, looks: Looks): boolean {
  if (near.length === 0) return true;
  const { name, args, fed, env, chosen, cwd } = program;
  if (name === "git") return isBranchNear(near, program, looks);
  const below = cwd.startsWith(`${looks.root}/`) ? [cwd.slice(looks.root.length)] : [];
  return [...args, ...fed, ...env, ...chosen, ...below].some((word) =>
    partsOf(word).some((part) => near.includes(part)),
  );
}

function isBranchNear(near: readonly string[], program: Placed, looks: Looks): boolean {
  const { args, fed, branch, cwd } = program;
  const isOn = (target: string): boolean =>
    near.some((one) => target === one || target.startsWith(`${one}/`));
  const isCurrent = (): boolean => isOn(branch ?? looks.branchOf(cwd) ?? "");
  const [sub, , ...refs] = [...wordsOf(program, args.length), ...fed];
  const options = optionsOf(program);
  const targets = [...args, ...fed].map((word) =>
    (word.split(":").at(-1) ?? "").replace(/^\+|^refs\/heads\//g, ""),
  );
  if (targets.some(isOn)) return true;
  if (sub !== "push") return isCurrent();
  if (options.has("all") || options.has("mirror") || options.has("branches")) return true;
  if (refs.some((ref) => /(?:^|[:/])\*$/.test(ref))) return true;
  const isOwn = (ref: string): boolean => /^\+?(?:HEAD|@)$/.test(ref) || ref.includes(unknown);
  return (
    (refs.every((ref) => isOwn(ref)) && !options.has("tags") && isCurrent()) ||
    (refs.some(isOwn) && isCurrent())
  );
}

function foldersWritten(
  form: GuardForm & { type: "write" },
  { programs, writes, root }: Read,
  { realPath, env }: Machine,
): readonly string[] {
  const tops = new Set([root, realPath(root)]);
  const whole = joinPath(root, homed(form.path, env["HOME"]));
  const wanted = new Set([form.path, ...[realPath(whole)].filter((one) => one !== whole)]);
  const isIn = (file: string): boolean =>
    [file, realPath(file)].some((one) =>
      [...wanted].some((path) => [...tops].some((top) => isBelow(path, one, top))),
    );
  const found: string[] = [];
  const take = (file: string, isAll: boolean): void => {
    for (const one of file.split(eachOf).slice(0, filesMax))
      if (isIn(one) || (isAll && isAbove(one, whole))) found.push(folderOf(realPath(one)));
  };
  if (!form.deletes) for (const file of writes.slice(0, filesMax)) take(file, false);
  for (const program of programs)
    for (const file of writtenBy(program, form.deletes).slice(0, filesMax))
      take(joinPath(program.cwd, homed(file, env["HOME"])), takesAll(program));
  return found;
}

/** Files of one program that are looked at. */
const filesMax = 500;

const folderOf = (file: string): string => file.slice(0, Math.max(1, file.lastIndexOf("/")));

/** `rm -rf db/*` takes `db/migrations` with it. */
const isAbove = (file: string, wanted: string): boolean =>
  wanted.startsWith(`${file.replace(/\/\*$/, "")}/`);

const namesOf = (path: string): readonly string[] =>
  path
    .toLowerCase()
    .split("/")
    .filter((name) => name !== "" && name !== ".");

/** Is it this file, or anything below this folder? */
function isBelow(wanted: string, file: string, root: string): boolean {
  const want = namesOf(wanted);
  const isWhole = wanted.startsWith("/");
  const given = namesOf(!isWhole && file.startsWith(`${root}/`) ? file.slice(root.length) : file);
  const last = isWhole ? 0 : given.length - want.length;
  for (let start = 0; start <= last; start += 1)
    if (want.every((name, at) => isName(name, given[start + at]))) return true;
  return false;
}

/** A pattern of the shell may mean it: `migrat*`. */
const isName = (want: string, given: string | undefined): boolean =>
  given === want ||
  (want.endsWith("*") && isOfFamily(want.slice(0, -1), given ?? "")) ||
  (given?.endsWith("*") === true && given.length > 3 && want.startsWith(given.slice(0, -1)));

/** `.env*` is `.env` and `.env.local`; samples are committed. */
const isOfFamily = (first: string, given: string): boolean =>
  given === first ||
  (given.startsWith(`${first}.`) && !/\.(?:example|sample|template|dist)$/.test(given));
