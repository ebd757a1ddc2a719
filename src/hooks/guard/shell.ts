/**
 * A command line as a shell reads it: quotes, lists, pipes, subshells, assignments, here-documents. Not a shell: what
 * only running it would tell (the output of another command) stays unknown. Pure; linear in the text.
 */

/** One command with what matters of it. */
export interface ShellCommand {
  /** Words after expansion, without assignments and redirections. */
  readonly words: readonly string[];
  /** `NAME=value` of what is set for it, or was before it. */
  readonly env: readonly string[];
  /** Files that its output goes to. */
  readonly writes: readonly string[];
  /** The text of its here-document; null = none. */
  readonly input: string | null;
  readonly from: ShellCommand | null;
  /** Working folder, as far as `cd` tells. */
  readonly cwd: string;
}

/** More than a system takes as one argument; longer lines are read up to here. */
const charsMax = 300_000;
const commandsMax = 10_000;
const depthMax = 8;
const varsMax = 100;
const valueCharsMax = 1_000;

/** Between the values that a variable of a loop takes, one after the other. */
export const eachOf = "\u0001";

/** The state that lasts from one command to the next. */
interface Shell {
  cwd: string;
  /** The folders to which `cd -` and `popd` lead. */
  readonly left: string[];
  /** Variables that the line sets; `given` was set before. */
  readonly vars: Map<string, string>;
  readonly given: Variables;
  readonly found: ShellCommand[];
  readonly depth: number;
}

/** Variables that a line finds, such as HOME. */
export type Variables = Readonly<Record<string, string | undefined>>;

export interface Line {
  readonly commands: readonly ShellCommand[];
  /** Rest that was too long to read; empty for anything that people type. */
  readonly rest: string;
}

/** Every command of a line, those of `$(…)` and of subshells too, in the order in which they are read. */
export function readLine(line: string, cwd: string, given: Variables = {}, depth = 0): Line {
  const shell: Shell = { cwd, left: [], vars: new Map(), given, found: [], depth };
  const end = readList(line.slice(0, charsMax), shell);
  return { commands: shell.found, rest: line.slice(end) };
}

export const commandsIn = (...line: Parameters<typeof readLine>): readonly ShellCommand[] =>
  readLine(...line).commands;

type Token =
  | { readonly type: "word"; readonly texts: readonly string[]; readonly isPlain: boolean }
  | { readonly type: "operator"; readonly text: string }
  | { readonly type: "file"; readonly operator: string };

interface Unfinished {
  words: string[];
  env: string[];
  writes: string[];
  input: string | null;
}

const blank = (): Unfinished => ({ words: [], env: [], writes: [], input: null });

/** Words that only begin or end a part of a compound command. */
const syntax = new Set(
  "if then elif else fi do done while until esac ! { } time coproc".split(" "),
);
const assignment = /^[A-Za-z_]\w*\+?=/;

/** Reads a list of commands; returns the number of characters that were read. */
function readList(text: string, shell: Shell): number {
  const reader = createReader(text, shell);
  const folders: string[] = [];
  let command = blank();
  let from: ShellCommand | null = null;
  let redirection: string | null = null;
  const finish = (operator: string): void => {
    const done = ended(command, from, shell);
    from = operator.startsWith("|") && operator !== "||" ? done : null;
    command = blank();
  };
  for (let token = reader.next(); token !== null; token = reader.next()) {
    if (shell.found.length >= commandsMax) return reader.at();
    if (token.type === "file") redirection = token.operator;
    else if (token.type === "operator") {
      finish(token.text);
      if (token.text === "(") folders.push(shell.cwd);
      if (token.text === ")") shell.cwd = folders.pop() ?? shell.cwd;
    } else if (redirection !== null) {
      redirect(command, { operator: redirection, target: token.texts.join(" "), reader });
      redirection = null;
    } else addWord(command, token);
  }
  finish("");
  return text.length;
}

function redirect(
  command: Unfinished,
  {
    operator,
    target,
    reader,
  }: { readonly operator: string; readonly target: string; readonly reader: Reader },
): void {
  if (operator === "<<" || operator === "<<-")
    command.input = reader.document(target, operator === "<<-");
  else if (operator === "<<<") command.input = target;
  else if (operator.includes(">") && !/^(?:\d+|-)$/.test(target)) command.writes.push(target);
}

function addWord(command: Unfinished, { texts, isPlain }: Token & { type: "word" }): void {
  const [first = ""] = texts;
  if (command.words.length === 0 && assignment.test(first)) command.env.push(texts.join(" "));
  else if (command.words.length > 0 || !isPlain || !syntax.has(first)) command.words.push(...texts);
}

/** `ended` updates the shell's state after a command: itself, variables, another folder. */
function ended(
  { words, env, writes, input }: Unfinished,
  from: ShellCommand | null,
  shell: Shell,
): ShellCommand | null {
  const [name, ...args] = words;
  if (name === undefined) for (const one of env) setVariable(shell, one);
  else keepNames(name, args, shell);
  if (name === undefined && writes.length === 0) return from;
  const known = Array.from(shell.vars, ([key, value]) => `${key}=${value}`);
  const done = { words, env: [...known, ...env], writes, input, from, cwd: shell.cwd };
  shell.found.push(done);
  changeFolder(name, args, shell);
  return done;
}

function changeFolder(name: string | undefined, args: readonly string[], shell: Shell): void {
  const to = args.find((word) => !/^-\w/.test(word)) ?? (name === "cd" ? "~" : "-");
  if (name === "popd" || ((name === "cd" || name === "pushd") && to === "-")) {
    const back = shell.left.pop();
    if (name !== "popd") shell.left.push(shell.cwd);
    shell.cwd = back ?? shell.cwd;
  } else if ((name === "cd" || name === "pushd") && !to.includes(unknown)) {
    shell.left.push(shell.cwd);
    shell.cwd = joinPath(shell.cwd, homed(to, shell.given["HOME"]));
  }
}

/** `~/x` as a path of that home. */
export const homed = (path: string, home: string | undefined): string =>
  home === undefined ? path : path.replace(/^~(?=\/|$)/, home);

/** Variables that a command sets for those behind it. */
function keepNames(name: string, args: readonly string[], shell: Shell): void {
  if (name === "export" || name === "declare" || name === "local")
    for (const one of args) setVariable(shell, one);
  if (name === "for" && args[1] === "in")
    setVariable(shell, `${args[0] ?? ""}=${args.slice(2).join(eachOf)}`);
}

function setVariable({ vars }: Shell, text: string): void {
  const at = text.indexOf("=");
  if (at > 0 && text.length <= valueCharsMax && vars.size < varsMax)
    vars.set(text.slice(0, at).replace(/\+$/, ""), text.slice(at + 1));
}

/** A path from a folder, with `.` and `..` resolved; what begins at the top or in the home stays there. */
export function joinPath(folder: string, path: string): string {
  const isWhole = /^(?:\/|~|[A-Za-z]:[\\/])/.test(path);
  const kept: string[] = [];
  const whole = (isWhole ? path : `${folder}/${path}`).replaceAll("\\", "/");
  for (const name of whole.split("/")) {
    if (name === "..") kept.pop();
    else if (name !== "" && name !== ".") kept.push(name);
  }
  return `${whole.startsWith("/") ? "/" : ""}${kept.join("/")}`;
}

interface Reader {
  /** Characters that were read. */
  readonly at: () => number;
  readonly next: () => Token | null;
  /** The here-document that ends with this line; it begins below the line that is being read. */
  readonly document: (end: string, isIndented: boolean) => string;
}

const operators = /(?:&&|\|\||\|&|;;&?|;&|[;|&()\n])/y;
const redirections = /(?:\d*|&)(?:>>|>\||>&|<>|<<<|<<-|<<|<&|>|<)/y;

function createReader(text: string, shell: Shell): Reader {
  let at = 0;
  /** The here-documents of this line; the newline that ends it leads behind them. */
  let documents: { readonly newline: number; readonly end: number } | null = null;
  const matched = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const [found = null] = pattern.exec(text) ?? [];
    if (found !== null) at += found.length;
    return found;
  };
  const skipBlanks = (): void => {
    for (;;) {
      matched(/(?:[ \t\r]|\\\r?\n)+/y);
      if (text[at] !== "#") return;
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
    }
  };
  return {
    at: () => at,
    next: () => {
      skipBlanks();
      if (at >= text.length) return null;
      const isProcess = /[<>]\(/y;
      isProcess.lastIndex = at;
      const file = isProcess.test(text) ? null : matched(redirections);
      if (file !== null) return { type: "file", operator: file.replace(/^\d+/, "") };
      const start = at;
      const operator = matched(operators);
      if (operator === null) {
        const word = readWord(text, at, shell);
        at = Math.max(word.end, at + 1);
        return { type: "word", texts: word.texts, isPlain: word.isPlain };
      }
      if (documents !== null && operator === "\n" && start >= documents.newline) {
        at = documents.end;
        documents = null;
      }
      return { type: "operator", text: operator };
    },
    document: (end, isIndented) => {
      const below = text.indexOf("\n", at);
      const newline = documents?.newline ?? (below < 0 ? text.length : below);
      const begin = documents?.end ?? newline + 1;
      const lines: string[] = [];
      let place = begin;
      while (place < text.length) {
        const stop = text.indexOf("\n", place);
        const line = text.slice(place, stop < 0 ? text.length : stop);
        place = stop < 0 ? text.length : stop + 1;
        if ((isIndented ? line.replace(/^\t+/, "") : line) === end) break;
        lines.push(line);
      }
      documents = { newline, end: place };
      return lines.join("\n");
    },
  };
}

interface Word {
  /** Several where a variable held several words. */
  readonly texts: readonly string[];
  /** Without quotes and expansions. */
  readonly isPlain: boolean;
  readonly end: number;
}

/** Stands for what only running it would tell. */
export const unknown = "\u0000";
const wordEnd = /[\s;|&()<>]/;

// oxlint-disable-next-line eslint/max-lines-per-function, eslint/complexity -- one case for each character
function readWord(text: string, start: number, shell: Shell): Word {
  let at = start;
  let word = "";
  let isQuoted = false;
  let isPlain = true;
  let isSplit = false;
  for (; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (!isQuoted && wordEnd.test(char)) {
      if (!/[<>]/.test(char) || text[at + 1] !== "(") break;
      const end = closing(text, at + 2);
      runInside(text.slice(at + 2, end), shell);
      word += unknown;
      at = end;
    } else if (char === "\\") {
      at += 1;
      const next = text.charAt(at);
      if (isQuoted && !/["\\$`\n]/.test(next)) word += "\\";
      if (next !== "\n") word += next;
      isPlain = false;
    } else if (char === '"') {
      isQuoted = !isQuoted;
      isPlain = false;
    } else if (!isQuoted && (char === "'" || (char === "$" && text[at + 1] === "'"))) {
      const begin = char === "'" ? at + 1 : at + 2;
      const end = quoteEnd(text, begin, char === "$");
      word += text.slice(begin, end);
      isPlain = false;
      at = end;
    } else if (char === "`") {
      const end = quoteEnd(text, at + 1, true, "`");
      runInside(text.slice(at + 1, end), shell);
      word += unknown;
      at = end;
    } else if (char === "$" && text[at + 1] === "(") {
      const end = closing(text, at + 2);
      runInside(text.slice(at + 2, end), shell);
      word += unknown;
      at = end;
    } else if (char === "$") {
      const [name = "", inner = "", plain = ""] =
        /^\$(?:\{(\w+)[^}]{0,200}\}|(\w+))/.exec(text.slice(at, at + 260)) ?? [];
      const variable = inner === "" ? plain : inner;
      const known =
        variable === "PWD" ? shell.cwd : (shell.vars.get(variable) ?? given(shell, variable));
      // A variable that grows without end is left as it is.
      const value = word.length > charsMax ? undefined : known;
      word += value ?? (name === "" ? char : name);
      isSplit ||= value !== undefined && !isQuoted;
      isPlain = false;
      at += Math.max(name.length, 1) - 1;
    } else word += char;
  }
  const texts = isSplit ? word.split(/\s+/).filter(Boolean) : [word];
  return { texts, isPlain, end: at };
}

const given = ({ given: variables }: Shell, name: string): string | undefined =>
  name !== "" && Object.hasOwn(variables, name) ? variables[name] : undefined;

function runInside(text: string, shell: Shell): void {
  if (shell.depth >= depthMax || shell.found.length >= commandsMax) return;
  for (const one of commandsIn(text, shell.cwd, shell.given, shell.depth + 1))
    shell.found.push(one);
}

/** `quoteEnd` gives the end of a quotation: at its mark, or with the text. */
function quoteEnd(text: string, start: number, hasEscapes: boolean, mark = "'"): number {
  for (let at = start; at < text.length; at += 1) {
    if (hasEscapes && text[at] === "\\") at += 1;
    else if (text[at] === mark) return at;
  }
  return text.length;
}

/** The bracket that closes what is open at `start`, past quotes, nested ones and here-documents. */
function closing(text: string, start: number): number {
  let open = 1;
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === "'") at = quoteEnd(text, at + 1, false);
    else if (char === "<" && text[at + 1] === "<") at = documentEnd(text, at);
    else if (char === "(") open += 1;
    else if (char === ")") {
      open -= 1;
      if (open === 0) return at;
    }
  }
  return text.length;
}

const documentStart = /<<-?[ \t]*(["']?)([\w.-]+)\1[^\n]*\n/y;

/**
 * `documentEnd` gives the end of the here-document that begins at `start`: what stands in it opens
 * and closes nothing.
 */
function documentEnd(text: string, start: number): number {
  documentStart.lastIndex = start;
  const [head, , name = ""] = documentStart.exec(text) ?? [];
  if (head === undefined) return start + 1;
  for (let at = start + head.length; at < text.length;) {
    const stop = text.indexOf("\n", at);
    const end = stop < 0 ? text.length : stop;
    if (text.slice(at, end).replace(/^\t+/, "") === name) return end - 1;
    at = end + 1;
  }
  return text.length;
}
