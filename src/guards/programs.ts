/**
 * Which programs a command really runs: what `sudo`, `xargs`, `sh -c`, `find -exec` and the like only pass on. Pure.
 */
import { commandsIn, type ShellCommand } from "./shell.ts";

/** One program with its arguments. */
export interface Program {
  /** Its name without its folder. */
  readonly name: string;
  readonly args: readonly string[];
  /** Arguments that come from elsewhere: names that are piped into it, or found for it. */
  readonly fed: readonly string[];
  readonly env: readonly string[];
  readonly cwd: string;
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
const depthMax = 6;
/** Programs of one command: a line that nests more is not one that anybody typed. */
const programsMax = 500;
/** Of one `find`. */
const deedsMax = 10;

const baseName = (path: string): string => /[^/\\]*$/.exec(path)?.[0].replace(/\.exe$/i, "") ?? "";

/** Every program of a command: itself, and what it passes on. */
export const programsOf = (command: ShellCommand): readonly Program[] => {
  const { words, env, cwd } = command;
  return run({ words, fed: [], env, cwd }, { command, depth: 0, budget: { left: programsMax } });
};

interface Running extends Pick<Program, "cwd" | "env" | "fed"> {
  readonly words: readonly string[];
}

interface Within {
  readonly command: ShellCommand;
  readonly depth: number;
  readonly budget: { left: number };
}

function run(running: Running, { command, depth, budget }: Within): readonly Program[] {
  const [first, ...args] = running.words;
  budget.left -= 1;
  if (first === undefined || depth > depthMax || budget.left < 0) return [];
  const self: Program = { ...running, name: baseName(first), args };
  const scripts = scriptsOf(self, command).flatMap((line) =>
    commandsIn(line, running.cwd, depth + 1).flatMap((inner) => {
      const env = [...running.env, ...inner.env];
      return run({ ...inner, env, fed: [] }, { command: inner, depth: depth + 1, budget });
    }),
  );
  const carried = carriedBy(self, command).flatMap((more) =>
    run({ ...running, ...more }, { command, depth: depth + 1, budget }),
  );
  return [self, ...scripts, ...carried];
}

/** Lines that a program reads as a shell does. */
function scriptsOf({ name, args }: Program, command: ShellCommand): readonly string[] {
  if (shells.has(name)) return shellScripts(args, command);
  if (name === "eval" || (name === "watch" && args.length === 1)) return [args.join(" ")];
  return name === "su" && args.includes("-c") ? [args[args.indexOf("-c") + 1] ?? ""] : [];
}

type Carried = Pick<Running, "words"> & Partial<Running>;

/** Commands that a program runs with what stands behind it. */
function carriedBy({ name, args, env, fed }: Program, command: ShellCommand): readonly Carried[] {
  if (name === "find") return found(args);
  if (/^python[\d.]*$/.test(name)) return args[0] === "-m" ? [{ words: args.slice(1) }] : [];
  if (subCarriers.has(name)) {
    if (!/^(?:run|exec|x|dlx)$/.test(args[0] ?? "")) return [];
    return [{ words: args.slice(args[1] === "--" ? 2 : 1) }];
  }
  const carrier = Object.hasOwn(carriers, name) ? carriers[name] : undefined;
  if (carrier === undefined) return [];
  const { rest, set } = behind(args, carrier);
  const isFed = name === "xargs" || name === "parallel";
  return [{ words: rest, env: [...env, ...set], fed: isFed ? fedBy(command) : fed }];
}

/** What a shell is given to run: behind `-c`, in a here-document, or printed into it. */
function shellScripts(args: readonly string[], { input, from }: ShellCommand): readonly string[] {
  const at = args.findIndex((word) => /^-[a-z]*c$/.test(word));
  if (at >= 0) return [args[at + 1] ?? ""];
  if (args.some((word) => !word.startsWith("-"))) return [];
  const read = input ?? (from === null ? null : printedBy(from));
  return read === null ? [] : [read];
}

/** What a command prints, as far as its words tell. */
function printedBy({ words, input }: ShellCommand): string | null {
  const [name, ...printed] = words;
  if (name === "cat") return input;
  return name === "echo" || name === "printf" ? printed.join(" ") : null;
}

/** What `find` does with what it finds. */
function found(args: readonly string[]): readonly Carried[] {
  const first = args.findIndex((word) => word.startsWith("-") || word === "(" || word === "!");
  const fed = args.slice(0, first < 0 ? args.length : first);
  const isDeed = (word: string): boolean => /^-(?:delete|(?:exec|ok)(?:dir)?)$/.test(word);
  const deeds = args.flatMap((word, at) => (isDeed(word) ? [at] : [])).slice(0, deedsMax);
  return deeds.map((at) => {
    if (args[at] === "-delete") return { words: ["rm"], fed };
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
