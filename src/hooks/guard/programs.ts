/**
 * Finds the programs that a command really runs: what `sudo`, `xargs`, `sh -c`, `find -exec` and
 * the like only pass on. Pure.
 */
import { foldersOf, wordsOf } from "./options.ts";
import { commandsIn, joinPath, type ShellCommand, type Variables } from "./shell.ts";

export interface Program {
  /** Its name without its folder. */
  readonly name: string;
  readonly args: readonly string[];
  /** Arguments that come from elsewhere: names that are piped into it, or found for it. */
  readonly fed: readonly string[];
  readonly env: readonly string[];
  /** Files that it reads, as far as the line tells. */
  readonly input: string;
  /** The folder in which it acts. */
  readonly cwd: string;
  /** It runs on another machine, which its environment names. */
  readonly isElsewhere: boolean;
}

/** Programs that run the command behind them: options of theirs that take a value, and words before the command. */
const carriers: Readonly<Record<string, { readonly values: string; readonly skip?: number }>> = {
  sudo: { values: "-u -g -h -p -C -r -t -T -U -D -R --user --group --chdir" },
  doas: { values: "-u -C" },
  env: { values: "-u -C --unset --chdir" },
  nice: { values: "-n --adjustment" },
  ionice: { values: "-c -n -p" },
  timeout: { values: "-s -k --signal --kill-after", skip: 1 },
  stdbuf: { values: "-i -o -e" },
  time: { values: "-f -o" },
  nohup: { values: "" },
  setsid: { values: "" },
  command: { values: "" },
  builtin: { values: "" },
  exec: { values: "-a" },
  caffeinate: { values: "-t -w" },
  strace: { values: "-e -o -p -s" },
  watch: { values: "-n --interval" },
  flock: { values: "-w -E", skip: 1 },
  chroot: { values: "", skip: 1 },
  xargs: { values: "-I -n -P -L -d -a -E -s --max-args --max-procs --arg-file --delimiter" },
  parallel: { values: "-j --jobs -n -I" },
  npx: { values: "-p --package" },
  bunx: { values: "" },
  corepack: { values: "" },
  dotenv: { values: "-e -c" },
};
/** The same behind a word of theirs: `uv run pytest`. */
const subCarriers = new Set(
  "uv poetry pipenv pdm hatch rye mise asdf direnv bundle pnpm yarn npm bun".split(" "),
);
const shells = new Set("sh bash zsh dash ksh ash fish".split(" "));
/** Programs that run the script behind them. */
const interpreters = new Set([...shells, ..."python node ruby perl php deno bun".split(" ")]);
const depthMax = 6;
/** Programs of one command: a line that nests more is not one that anybody typed. */
const programsMax = 500;
/** The limit of deeds in one `find`. */
const deedsMax = 10;

/** Other names of a program, with words that stand for the name. */
const aliases: readonly (readonly [pattern: RegExp, name: string, words: readonly string[]])[] = [
  [/^pip[\d.]+$/, "pip", []],
  [/^python[\d.]+$/, "python", []],
  [/^docker-compose$/, "docker", ["compose"]],
  [/^tofu$/, "terraform", []],
  [/^pnpx$/, "npx", []],
];

/** A program by its usual name: `docker-compose` is `docker compose`, `git-push` is `git push`. */
export function usual(
  name: string,
  args: readonly string[],
): { readonly name: string; readonly args: readonly string[] } {
  const sub = /^git-([a-z-]+)$/.exec(name)?.[1];
  if (sub !== undefined) return { name: "git", args: [sub, ...args] };
  const alias = aliases.find(([pattern]) => pattern.test(name));
  return alias === undefined ? { name, args } : { name: alias[1], args: [...alias[2], ...args] };
}

const baseName = (path: string): string => /[^/\\]*$/.exec(path)?.[0].replace(/\.exe$/i, "") ?? "";

/** Every program of a command: itself, and what it passes on. */
export const programsOf = (command: ShellCommand, given: Variables = {}): readonly Program[] => {
  const { words, env, cwd } = command;
  const within = { command, given, depth: 0, budget: { left: programsMax } };
  return run({ words, fed: [], env, cwd }, within);
};

interface Running {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: readonly string[];
  readonly fed: readonly string[];
  readonly isElsewhere?: boolean;
}

interface Within {
  readonly given: Variables;
  readonly command: ShellCommand;
  readonly depth: number;
  readonly budget: { left: number };
}

function run(running: Running, { command, given, depth, budget }: Within): readonly Program[] {
  const [first, ...args] = running.words;
  budget.left -= 1;
  if (first === undefined || depth > depthMax || budget.left < 0) return [];
  const named = usual(baseName(first), args);
  const { fed, env, isElsewhere = false } = running;
  const cwd = foldersOf(named).reduce(joinPath, running.cwd);
  const input = command.input ?? (command.from === null ? "" : (printedBy(command.from) ?? ""));
  const self: Program = { ...named, fed, env, cwd, input, isElsewhere };
  const isRemote = self.name === "ssh";
  const scripts = scriptsOf(self, command).flatMap((line) =>
    commandsIn(line, running.cwd, given, depth + 1).flatMap((inner) => {
      const env = [...running.env, ...inner.env, ...(isRemote ? args : [])];
      const script = { ...inner, env, fed: [], isElsewhere: isElsewhere || isRemote };
      return run(script, { command: inner, given, depth: depth + 1, budget });
    }),
  );
  const carried = carriedBy(self, command).flatMap((more) =>
    run({ ...running, ...more }, { command, given, depth: depth + 1, budget }),
  );
  return [self, ...scripts, ...carried];
}

/** Lines that a program reads as a shell does. */
function scriptsOf({ name, args }: Program, command: ShellCommand): readonly string[] {
  if (shells.has(name)) return shellScripts(args, command);
  if (name === "ssh") return [behind(args, { values: sshValues, skip: 1 }).rest.join(" ")];
  if (name === "trap") return args.slice(0, 1);
  if (name === "eval" || (name === "watch" && args.length === 1)) return [args.join(" ")];
  return name === "su" && args.includes("-c") ? [args[args.indexOf("-c") + 1] ?? ""] : [];
}

/** A command that a program runs: its words, and where its surroundings differ from the program's. */
type Carried = Partial<Running> & { readonly words: readonly string[] };

/** Commands that a program runs with what stands behind it. */
function carriedBy({ name, args, env, fed }: Program, command: ShellCommand): readonly Carried[] {
  if (name === "find") return found(args);
  const inside = insideContainer(name, args);
  if (inside !== null) return [inside];
  const script = scriptBehind(name, args);
  const behindWord = behindSubcommand(name, args);
  if (behindWord !== null) return [...behindWord, ...script];
  if (script.length > 0) return script;
  const carrier = Object.hasOwn(carriers, name) ? carriers[name] : undefined;
  if (carrier === undefined) return [];
  const { rest, set } = behind(args, carrier);
  const isFed = name === "xargs" || name === "parallel";
  return [{ words: rest, env: [...env, ...set], fed: isFed ? fedBy(command) : fed }];
}

/** `bash deploy.sh production`; not `bash -c …`. */
function scriptBehind(name: string, args: readonly string[]): readonly Carried[] {
  const at = args.findIndex((word) => !word.startsWith("-") || /^-[a-z]*[cem]$/.test(word));
  const word = args[at] ?? "";
  return interpreters.has(name) && /^[\w./~-]+\.\w+$/.test(word) && !word.startsWith("-")
    ? [{ words: args.slice(at) }]
    : [];
}

/** `uv run CMD`, `python -m CMD`; null for a program that has no such word. */
function behindSubcommand(name: string, args: readonly string[]): readonly Carried[] | null {
  const [sub = "", next] = args;
  if (name === "python") return sub === "-m" ? [{ words: args.slice(1) }] : [];
  if (!subCarriers.has(name)) return null;
  if (!/^(?:run|exec|x|dlx)$/.test(sub)) return [];
  return [{ words: args.slice(next === "--" ? 2 : 1) }];
}

/** `docker compose exec app CMD`, `kubectl exec pod -- CMD`. */
function insideContainer(name: string, args: readonly string[]): Carried | null {
  if (name !== "docker" && name !== "podman" && name !== "kubectl") return null;
  const at = args.findIndex((word) => word === "exec" || word === "run");
  if (at < 0) return null;
  const dashes = args.indexOf("--", at);
  if (name === "kubectl") return dashes < 0 ? null : { words: args.slice(dashes + 1) };
  const { rest, set } = behind(args.slice(at + 1), { values: containerValues, skip: 1 });
  const settings = args.filter((_, index) => /^(?:-e|--env)$/.test(args[index - 1] ?? ""));
  return rest.length === 0 ? null : { words: rest, env: [...set, ...settings] };
}

const sshValues = "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w";
const containerValues =
  "-e --env -u --user -w --workdir -v --volume -p --publish --name --network --entrypoint --env-file " +
  "-l --label --mount --platform -m --memory";

/**
 * `shellScripts` gives the scripts that a shell is given to run: behind `-c`, in a here-document,
 * or printed into it.
 */
function shellScripts(args: readonly string[], { input, from }: ShellCommand): readonly string[] {
  const at = args.findIndex((word) => /^-[a-z]*c$/.test(word));
  if (at >= 0) return [args[at + 1] ?? ""];
  if (args.some((word) => !word.startsWith("-"))) return [];
  const read = input ?? (from === null ? null : printedBy(from));
  return read === null ? [] : [read];
}

/** `printedBy` gives the output of a command, as far as its words tell. */
function printedBy({ words, input }: ShellCommand): string | null {
  const [name, ...printed] = words;
  if (name === "cat") return input;
  return name === "echo" || name === "printf" ? printed.join(" ") : null;
}

/** `found` gives the commands that `find` runs on its results. */
function found(args: readonly string[]): readonly Carried[] {
  const first = args.findIndex((word) => word.startsWith("-") || word === "(" || word === "!");
  const fed = args.slice(0, first < 0 ? args.length : first);
  const isDeed = (word: string): boolean => /^-(?:delete|(?:exec|ok)(?:dir)?)$/.test(word);
  const deeds = args.flatMap((word, at) => (isDeed(word) ? [at] : [])).slice(0, deedsMax);
  return deeds.map((at) => {
    if (args[at] === "-delete") return { words: ["rm", "-r", "-f"], fed };
    const rest = args.slice(at + 1);
    const end = rest.findIndex((one) => one === ";" || one === "+");
    return { words: rest.slice(0, end < 0 ? rest.length : end), fed };
  });
}

/** The command behind a carrier's options, assignments and own words. */
function behind(
  args: readonly string[],
  { values, skip = 0 }: { readonly values: string; readonly skip?: number },
): { readonly rest: readonly string[]; readonly set: readonly string[] } {
  const taking = values.split(" ");
  const set: string[] = [];
  let own = skip;
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (word === "--") continue;
    if (word.startsWith("-")) at += taking.includes(word) ? 1 : 0;
    else if (/^[A-Za-z_]\w*=/.test(word)) set.push(word);
    else if (own > 0) own -= 1;
    else break;
  }
  return { rest: args.slice(at), set };
}

/** Names that are piped in, as far as the line tells them. */
const fedBy = ({ from }: ShellCommand): readonly string[] => {
  const names: string[] = [];
  for (let one = from; one !== null && names.length < 200; one = one.from)
    names.push(...one.words.slice(1).filter((word) => !word.startsWith("-")));
  return names;
};

// Git's own short names: `git pu`, `git -c alias.p=push p`. Pure but for the look-up that it is given.

interface Aliases {
  readonly env: Variables;
  readonly gitAliasOf: (folder: string, word: string) => string | null;
}

/** Commands of git itself, whose names an alias cannot take. */
const builtins = new Set(
  (
    "add am apply archive bisect blame branch bundle checkout cherry-pick clean clone commit config describe diff " +
    "fetch filter-branch gc grep init log merge mv notes pull push rebase reflog remote reset restore revert rm " +
    "show stash status submodule switch tag update-ref worktree"
  ).split(" "),
);
/** An alias may lead to another one. */
const stepsMax = 4;

/** The programs that an alias of git stands for; the program itself where there is none. */
export function unaliased(program: Program, aliases: Aliases, step = 0): readonly Program[] {
  const { name, args, cwd } = program;
  const [word] = name === "git" && step < stepsMax ? wordsOf(program, 1) : [];
  if (word === undefined || builtins.has(word)) return [program];
  // The last one holds; letter case makes no difference.
  const set = args.findLast((arg) => arg.toLowerCase().startsWith(`alias.${word.toLowerCase()}=`));
  const alias = set?.slice(set.indexOf("=") + 1) ?? aliases.gitAliasOf(cwd, word);
  if (alias === null) return [program];
  const rest = args.slice(args.indexOf(word) + 1);
  const line = alias.startsWith("!") ? alias.slice(1) : `git ${alias}`;
  return commandsIn(line, cwd, aliases.env)
    .flatMap((command, at, all) =>
      // Words behind the alias go to its last command.
      programsOf(
        at === all.length - 1 ? { ...command, words: [...command.words, ...rest] } : command,
        aliases.env,
      ),
    )
    .flatMap((one) => unaliased(one, aliases, step + 1));
}
