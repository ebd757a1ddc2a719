/**
 * Finds in a sentence the bans that can be seen in a command or a path: "never push", "don't touch the migrations
 * folder". Says nothing about whether it was meant to last. Word lists in several languages. Pure.
 */
import type { GuardForm } from "#domain";
import { acts, actsIn } from "./ban-acts.ts";
import { any, anyOf, bare, before, behind as after, list } from "./ban-lists.ts";
import { aloneOr, either, letters } from "./lists.ts";
import { isFamily, isPathName, pathIn, placeTold } from "./ban-paths.ts";
import { instead, isReplacing, leave, replaced } from "./ban-manner.ts";

const moment = anyOf("moment");
const condition = anyOf("condition");
const uses = anyOf("use");
const writes = anyOf("write");
const deletes = anyOf("delete");
const other = anyOf("ban, other");
const programs = new Set(list("programs"));
const programWords = new Set(list("words of programs"));
const verbs = (name: string): string =>
  String.raw`(?:${any(name)}) (?:the |a |any |plain |raw |el |le |o |den )*`;

const anyBan = new RegExp(
  either([
    aloneOr(letters, [...list("ban"), ...list("ban, bare"), ...list("off")]),
    `(?:${after})`,
  ]),
  "u",
);

const tick = "`";
const span = `${tick}[^${tick}]*${tick}`;

const nears: readonly { readonly pattern: RegExp; readonly names: readonly string[] }[] = [
  { pattern: anyOf("near production"), names: ["prod", "production", "prd", "live"] },
  { pattern: anyOf("near staging"), names: ["staging", "stage", "stg"] },
  { pattern: anyOf("near main"), names: ["main"] },
  { pattern: anyOf("near master"), names: ["master"] },
];

const charsMax = 300;

/** The first thing that a sentence forbids; null when it forbids nothing that could be checked. */
export function banIn(sentence: string): GuardForm | null {
  if (sentence.length > charsMax || /[?？]\s*$/u.test(sentence)) return null;
  for (const clause of clausesOf(sentence)) {
    const form =
      !forbids(clause) || isFree(clause)
        ? null
        : (acting(clause) ?? running(clause) ?? writing(clause));
    if (form !== null) return form;
  }
  return null;
}

/** Words a form for the end of "you have said not to …". */
export function deedIn(form: GuardForm): string {
  if (form.type === "write") return `${form.deletes ? "delete" : "change"} ${form.path}`;
  const [first = []] = form.commands;
  const act = acts.find(
    ({ commands }) =>
      commands.length === form.commands.length &&
      commands[0]?.every((word, at) => word === first[at]) === true,
  );
  const deed = act?.kind ?? `run ${first.join(" ").replace(/^\* /, "anything with ")}`;
  const [near] = form.near;
  if (near === undefined) return deed;
  if (!landing.has(first[1] ?? "")) return `${deed} against ${near}`;
  return `${deed} ${deed.endsWith("push") ? "to" : deed === "merge" ? "into" : "on"} ${near}`;
}

/** As it was written: names keep their letters. Code spans hold what they hold. */
const clausesOf = (sentence: string): readonly string[] =>
  sentence
    .replaceAll("’", "'")
    .replace(/\bnever,? ever\b/giu, "never")
    .split(clauseEnd)
    .map((clause) => clause.replace(edgeOfLatin, " ").trim().replace(/\s+/gu, " "))
    .filter((clause) => clause !== "");

/** A mark outside of code spans, or a conjunction; none within `db:reset`. */
const clauseEnd = new RegExp(
  String.raw`(?:[,;!。，；：！、]|[.:](?=\s|$)|\s[-–—]\s|\s(?:but|and then|sondern|mais|pero|mas|но)\s)` +
    "(?=(?:[^`]*`[^`]*`)*[^`]*$)",
  "u",
);

/** "git pushしないで": names stand in Japanese and Chinese without a space. */
const unspaced = String.raw`[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]`;
const edgeOfLatin = new RegExp(`(?<=[a-z\\d])(?=${unspaced})|(?<=${unspaced})(?=[a-z])`, "giu");

/** Most sentences forbid nothing: told by one look. */
const forbids = (clause: string): boolean => {
  const plain = clause.toLowerCase();
  return anyBan.test(plain) || other.test(plain) || isReplacing(plain);
};

/** For this once, or on a condition that the agent could meet. */
function isFree(clause: string): boolean {
  const plain = clause.toLowerCase();
  return moment.test(plain) || (condition.test(plain) && !leave.test(plain));
}

/** "Delete anything with …": what it is done with. */
const means = String.raw`(?:[\p{L}-]+ ){1,5}(?:with|via|using|by (?:running|using|calling)) (?:the |a )?`;

/** Is this forbidden in the clause? `words`: as a pattern, in lower case. */
function isBanned(plain: string, words: string, isBareToo: boolean): boolean {
  const alone = String.raw`(?:${words})(?!\p{L}|-\p{L})`;
  return (
    new RegExp(before + alone, "u").test(plain) ||
    new RegExp(before + means + alone, "u").test(plain) ||
    (isBareToo && new RegExp(`${bare}${alone}`, "u").test(plain)) ||
    new RegExp(alone + after, "u").test(plain)
  );
}

function acting(clause: string): GuardForm | null {
  const plain = withoutCode(clause).toLowerCase();
  const flags = plain.match(/(?<=\s)--[a-z][a-z-]+/gu) ?? [];
  const near = nears.find(({ pattern }) => pattern.test(plain))?.names;
  const acts = actsIn(plain, other.test(plain)).filter(
    ({ needsPlace }) => near !== undefined || !needsPlace,
  );
  const commands = acts.flatMap((act) =>
    act.commands.map((words) => (act.isSpecial ? words : [...words, ...flags])),
  );
  if (commands.length === 0) return null;
  const isLanding = commands.every(([, word = ""]) => landing.has(word));
  const branch = isLanding ? branchOn(clause) : [];
  const names = near ?? branch;
  // Only of these is it known on which branch they land.
  const isBranch = names.includes("main") || names.includes("master");
  if (isBranch && !isLanding) return null;
  return { type: "run", commands, near: names };
}

/** "Push to the release branch", "commit on `qa/next`": names keep their letters. */
function branchOn(clause: string): readonly string[] {
  const [, ticked, plain, word] = onBranch.exec(clause) ?? [];
  const name = ticked ?? plain ?? "";
  const isName =
    ticked !== undefined || word !== undefined || branches.test(name) || /\/|\d/.test(name);
  return isName && isPathName(name) && name !== "any" ? [name] : [];
}
const branches = new RegExp(`^(?:${any("branches")})$`, "u");
const onBranch = new RegExp(
  String.raw`(?<!\p{L})(?:to|on|into|onto|auf|nach|in|sur|vers|en|a|para|em|в|на) (?:the |den |dem |la |el |o |a )?` +
    String.raw`(?:${tick}([\w./-]+)${tick}|([\w./-]*\w))(?: (branch(?:es)?|branche|rama|ветк\p{L}+))?(?![\w/])`,
  "u",
);

/** Acts that change the branch that is checked out, or the one that is named. */
const landing = new Set(["push", "commit", "merge", "pr"]);

const withoutCode = (clause: string): string => clause.replace(/`[^`]*`/gu, "`");

/** `npm run x` between backticks, or a program that everybody knows, behind a word that forbids using it. */
function running(clause: string): GuardForm | null {
  const plain = clause.toLowerCase();
  const isOther = other.test(plain) && uses.test(plain);
  const [, code] = /`([^`]{2,80})`/u.exec(clause) ?? [];
  // "Never use --force with git" forbids the option alone.
  if (code === undefined)
    return flagUse.test(plain)
      ? flagged(plain)
      : (scripted(plain, isOther) ?? namedProgram(plain, isOther) ?? flagged(plain));
  return quoted(code.trim().split(/\s+/), plain, isOther);
}

/** Text between backticks. */
function quoted(words: readonly string[], plain: string, isOther: boolean): GuardForm | null {
  const isCommand = programs.has(words[0] ?? "") || words.length > 1;
  const isMeant = isOther || isBanned(plain, `(?:${verbs("use")})?${span}`, true);
  if (/^-{1,2}[a-z]/i.test(words[0] ?? "")) return flagged(plain);
  // A single word that nobody knows is a program where it is said to be run.
  const isRun = words.length === 1 && isBanned(plain, `(?:${either(runs)}) ${span}`, false);
  return (isCommand && isMeant) || isRun ? command(words, plain) : null;
}

/** "Never run make deploy", "führe nie npm run seed aus": a program and the name of what it is to run. */
function scripted(plain: string, isOther: boolean): GuardForm | null {
  const [, said = ""] = script.exec(plain) ?? [];
  const isMeant =
    said !== "" &&
    (isOther || isBanned(plain, `(?:${either(runs)}) (?:the )?${RegExp.escape(said)}`, false));
  const words = said.split(" ");
  const end = words.findIndex((word, at) => at > 0 && follower.test(word));
  const named = end < 0 ? words : words.slice(0, end);
  if (!isMeant || (named.length < 2 && !said.startsWith("./"))) return null;
  return command([named[0]?.replace(/^\.\//u, "") ?? "", ...named.slice(1)], plain);
}
const script = new RegExp(
  String.raw`(?<![\w./-])((?:${any("script runners")})(?: [\w:./@=-]+){0,4})(?= *$| \P{L}| [^\x00-\x7f])`,
  "u",
);

const runs =
  "run|running|call|calling|execute|executing|invoke|invoking|start|starting|launch|launching".split(
    "|",
  );

const flagUse = new RegExp(
  String.raw`(?:us(?:e|ing)|pass(?:ing)?|add(?:ing)?|set(?:ting)?) (?:the )?${tick}?(--?[a-z][a-z-]*)${tick}?` +
    "(?: (?:flag|option|switch|argument)s?)?" +
    `(?: (?:to|with|on|for) ${tick}?([a-z][a-z0-9-]*(?: [a-z-]+)?)${tick}?)?`,
  "u",
);

/** "never use --no-verify": an option, of one program or of any. */
function flagged(plain: string): GuardForm | null {
  const [, flag = "", of = "*"] = flagUse.exec(plain) ?? [];
  const [name = "", word = ""] = of.split(" ");
  const isNamed = programs.has(name);
  if ((flag.length < 4 && !isNamed) || !anyBan.test(plain)) return null;
  const words = isNamed && programWords.has(word) ? [name, word] : [isNamed ? name : "*"];
  return { type: "run", commands: [[...words, flag]], near: [] };
}

/** Does another program take its place? Not another spelling of it: `docker compose`, `python3`. */
function isReplaced(plain: string, name: string): boolean {
  if (!isReplacing(plain)) return false;
  const alone = String.raw`${name}(?![\w-])`;
  const same = name.replace(/\d+$/u, "").replace("-", " ");
  const others = plain.replace(new RegExp(String.raw`(?<!\w)${alone}`, "u"), " ");
  return (
    new RegExp(either([`${instead}(?:${verbs("use")})?${alone}`, alone + replaced]), "u").test(
      plain,
    ) && !new RegExp(String.raw`(?<![\w-])${same}\d*(?![\w-])`, "u").test(others)
  );
}

function namedProgram(plain: string, isOther: boolean): GuardForm | null {
  const named = [...plain.matchAll(/(?<![a-z0-9./@_-])[a-z][a-z0-9-]+/gu)].filter(([name]) =>
    programs.has(name),
  );
  const ofOther = isOther ? besideOther(plain, named) : undefined;
  for (const { 0: name, index } of named) {
    const isMeant = (): boolean =>
      index === ofOther?.index ||
      isBanned(plain, verbs("use") + name, false) ||
      isBanned(plain, name, true) ||
      isReplaced(plain, name);
    if (!isMeant()) continue;
    const rest = plain
      .slice(index + name.length)
      .trim()
      .split(" ");
    const words = wordsAfter(rest.filter((word) => word !== ""));
    if (words !== null) return command([name, ...words], plain);
    // "Never curl the production API": the name is the verb.
    const isVerb = isBanned(plain, name, false);
    const form = command([name], plain);
    if (isVerb && form.near.length > 0) return form;
  }
  return null;
}

/** "用 pnpm 不要用 npm" forbids npm: what follows the ban, or in Japanese what stands before it. */
function besideOther(
  plain: string,
  named: readonly RegExpExecArray[],
): RegExpExecArray | undefined {
  const found = other.exec(plain);
  const at = found?.index ?? 0;
  const before = named.findLast(({ index }) => index < at);
  const after = named.find(({ index }) => index > at);
  return /\p{Script=Hiragana}/u.test(found?.[0] ?? "") ? (before ?? after) : (after ?? before);
}

/** Words that end what a program is told. */
const follower = new RegExp(String.raw`^(?:${any("after a program")}|\P{L}.*)$`, "u");

/** "Never run prettier over the vendor folder"; over ssh it runs somewhere else. */
const overFolder = new RegExp(`^(?:${any("over a folder")})$`, "u");

/** `wordsAfter` gives the words that go on a command; null where it talks about something else ("npm packages"). */
function wordsAfter(rest: readonly string[]): readonly string[] | null {
  const words: string[] = [];
  for (const [at, word] of rest.entries()) {
    if (word === "with" && rest[at + 1]?.startsWith("-") === true) continue;
    if (word.startsWith("-") || programWords.has(word)) words.push(word);
    // Behind an option stands what the command is told.
    else if (words.at(-1)?.startsWith("-") === true) return words;
    else return mayFollow(word) || isOverFolder(rest.slice(at)) ? words : null;
  }
  return words;
}

const mayFollow = (word: string): boolean => follower.test(word) || /^[^\x00-\x7f]/u.test(word);
const isOverFolder = (rest: readonly string[]): boolean =>
  overFolder.test(rest[0] ?? "") && pathIn(rest.join(" ")) !== null;

/** Bundled short flags are looked for one by one. */
const command = (words: readonly string[], plain: string): GuardForm & { type: "run" } => ({
  type: "run",
  commands: [
    words
      .filter((word) => !/[<>|&;$*"'(){}]/.test(word))
      .slice(0, 6)
      .flatMap((word) =>
        /^-[A-Za-z]{2,4}$/.test(word)
          ? word
              .slice(1)
              .split("")
              .map((letter) => `-${letter}`)
          : [word],
      ),
  ],
  near:
    nears.find(({ pattern }) => pattern.test(plain.replaceAll(/`[^`]*`/gu, " ")))?.names ??
    placeTold(plain, words),
});

function writing(clause: string): GuardForm | null {
  const path = pathIn(clause);
  if (path === null) return null;
  const plain = clause.toLowerCase();
  const named =
    String.raw`(?:.{0,40}[^\p{L}])?` + `${tick}?${RegExp.escape(path.toLowerCase())}${tick}?`;
  const isSaid = (name: "delete" | "write"): boolean =>
    isBanned(plain, `(?:${verbs(name)})${named}`, false) ||
    (other.test(plain) && (name === "write" ? writes : deletes).test(plain));
  const place = String.raw`(?:the |any )?${tick}?${RegExp.escape(path.toLowerCase())}`;
  const isOff =
    new RegExp(String.raw`(?<!\p{L})(?:${any("off")}) ${place}`, "u").test(plain) ||
    new RegExp(`${place}${tick}?(?: (?:${any("folder")}))?${after}`, "u").test(plain);
  const told = isFamily(path, plain) ? `${path}*` : path;
  if (isSaid("write") || isOff) return { type: "write", path: told, deletes: false };
  return isSaid("delete") ? { type: "write", path: told, deletes: true } : null;
}
