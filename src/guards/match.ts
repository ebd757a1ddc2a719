/** Holds what the agent is about to do against a guard. Pure; linear in the command. */
import type { ActiveGuard, GuardForm } from "#domain";
import { programsOf, type Program } from "./programs.ts";
import { commandsIn, eachOf, joinPath } from "./shell.ts";

/** What the agent is about to do. */
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

/** All that a deed comes to, read once for any number of guards. */
interface Read {
  readonly programs: readonly Program[];
  readonly writes: readonly string[];
  readonly root: string;
}

/** The first guard that the deed is against; one that denies goes before one that asks. */
export function guardAgainst<Guard extends Pick<ActiveGuard, "decision" | "form">>(
  guards: readonly Guard[],
  deed: Deed,
): Guard | null {
  if (guards.length === 0) return null;
  const read = readDeed(deed);
  const hits = guards.filter(({ form }) => isAgainst(form, read));
  return hits.find(({ decision }) => decision === "deny") ?? hits[0] ?? null;
}

function readDeed({ command, path, cwd, root }: Deed): Read {
  if (command === null)
    return { programs: [], writes: path === null ? [] : [joinPath(cwd, path)], root };
  const commands = commandsIn(command, cwd);
  return {
    programs: commands.flatMap(programsOf),
    writes: commands.flatMap((one) => one.writes.map((file) => joinPath(one.cwd, file))),
    root,
  };
}

const isAgainst = (form: GuardForm, read: Read): boolean =>
  form.type === "run"
    ? read.programs.some((program) => isRun(form, program))
    : isWritten(form, read);

/** Options before the words of a command that take a value. */
const valueOptions: Readonly<Record<string, string>> = {
  git: "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix",
  npm: "--prefix -w --workspace -C --loglevel",
  pnpm: "-C --dir -F --filter --prefix",
  yarn: "--cwd",
  bun: "--cwd --filter",
  docker: "-H --host --context -c -f --file -p --project-name --profile --env-file -l --log-level",
  "docker-compose": "-H --host --context -f --file -p --project-name --profile --env-file",
  kubectl: "-n --namespace --context --cluster --kubeconfig -s --server",
  helm: "-n --namespace --kube-context --kubeconfig",
  gh: "-R --repo",
  make: "-C -f --directory --file -I -o -W",
  cargo: "--manifest-path --config -Z --color",
  terraform: "-chdir",
};
/** Their scripts have names of their own: `npm run test:e2e` is a test. */
const scriptRunners = new Set("npm pnpm yarn bun make just task rake".split(" "));

function isRun({ commands, near }: GuardForm & { type: "run" }, program: Program): boolean {
  const { args } = program;
  if (args.includes("--help") || args.includes("--dry-run")) return false;
  return commands.some((words) => isCommand(words, program)) && isNear(near, program);
}

function isCommand([name, ...rest]: readonly string[], program: Program): boolean {
  if (name !== program.name) return false;
  const words = rest.filter((word) => !word.startsWith("-"));
  const named = wordsOf(program, words.length);
  return (
    words.every((word, at) => isWord(word, named[at], name)) &&
    rest.every((word) => !word.startsWith("-") || program.args.some((arg) => isFlag(word, arg))) &&
    rest.every((word) => !word.startsWith("+") || program.args.some((arg) => /^\+\w/.test(arg)))
  );
}

const isWord = (word: string, given: string | undefined, program: string): boolean =>
  word.startsWith("+") ||
  word === given ||
  (given !== undefined &&
    scriptRunners.has(program) &&
    given.startsWith(word) &&
    /[:_-]/.test(given.charAt(word.length)));

/** The first words that are neither options nor their values. */
function wordsOf({ name, args }: Program, count: number): readonly string[] {
  const taking = (valueOptions[name] ?? "").split(" ");
  const words: string[] = [];
  for (let at = 0; at < args.length && words.length < count; at += 1) {
    const word = args[at] ?? "";
    if (word.startsWith("-")) at += taking.includes(word) ? 1 : 0;
    else if (!(name === "cargo" && word.startsWith("+"))) words.push(word);
  }
  return words;
}

/** `-f` is in `-uf`; `--force` is in `--force=x`. */
const isFlag = (flag: string, arg: string): boolean =>
  /^-\w$/.test(flag)
    ? /^-[A-Za-z]+$/.test(arg) && arg.includes(flag.charAt(1))
    : arg === flag || arg.startsWith(`${flag}=`);

/** Names one of them: as a branch for git, as a part of any word or setting for others. */
function isNear(near: readonly string[], { name, args, fed, env }: Program): boolean {
  if (near.length === 0) return true;
  if (name === "git")
    return [...args, ...fed].some((word) =>
      near.includes((word.split(":").at(-1) ?? "").replace(/^\+|^refs\/heads\//g, "")),
    );
  return [...args, ...fed, ...env].some((word) =>
    word
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .some((part) => near.includes(part)),
  );
}

/** Programs that change every file they name; with `!`, the last one only. */
const writers: Readonly<Record<string, "all" | "last">> = {
  rm: "all",
  rmdir: "all",
  unlink: "all",
  shred: "all",
  trash: "all",
  mv: "all",
  touch: "all",
  mkdir: "all",
  tee: "all",
  truncate: "all",
  chmod: "all",
  chown: "all",
  chgrp: "all",
  patch: "all",
  black: "all",
  cp: "last",
  ln: "last",
  install: "last",
  rsync: "last",
  scp: "last",
};
const deleters = new Set(["rm", "rmdir", "unlink", "shred", "trash"]);
const gitWriters = new Set(["rm", "mv", "checkout", "restore", "clean"]);
const inPlace = /^(?:-[A-Za-z]*i[^/]*|--in-place(?:=.*)?)$/;

function isWritten(form: GuardForm & { type: "write" }, { programs, writes, root }: Read): boolean {
  const isIn = (file: string): boolean =>
    file.split(eachOf).some((one) => isBelow(form.path, one, root));
  if (!form.deletes && writes.some(isIn)) return true;
  return programs.some((program) =>
    writtenBy(program, form.deletes).some((file) => isIn(joinPath(program.cwd, file))),
  );
}

function writtenBy(program: Program, deletesOnly: boolean): readonly string[] {
  const { name, args, fed } = program;
  const files = [...args.filter((word) => !word.startsWith("-")), ...fed];
  if (name === "git") {
    const [sub = "", ...rest] = wordsOf(program, args.length);
    return (deletesOnly ? sub === "rm" : gitWriters.has(sub)) ? rest : [];
  }
  if (deletesOnly) return deleters.has(name) ? files : [];
  const how = Object.hasOwn(writers, name) ? writers[name] : undefined;
  if (how !== undefined) return how === "all" ? files : files.slice(-1);
  return [...namedOutputs(program), ...(isInPlace(program) ? files : [])];
}

/** Editors of streams that write what they read, and formatters. */
const isInPlace = ({ name, args }: Program): boolean =>
  args.some((word) =>
    /^(?:g?sed|perl|ruby)$/.test(name)
      ? inPlace.test(word)
      : word === "--write" || word === "--fix",
  );

function namedOutputs({ name, args }: Program): readonly string[] {
  if (name === "dd") return args.flatMap((word) => (word.startsWith("of=") ? word.slice(3) : []));
  return name === "curl" || name === "wget"
    ? args.filter((_, at) => /^-(?:[oO]|-output)$/.test(args[at - 1] ?? ""))
    : [];
}

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
  (given?.endsWith("*") === true && given.length > 3 && want.startsWith(given.slice(0, -1)));
