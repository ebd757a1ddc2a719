/**
 * What a sentence forbids, where that can be seen in a command or a path: "never push", "don't touch the migrations
 * folder". Says nothing about whether it was meant to last. Word lists in several languages. Pure.
 */
import type { GuardForm } from "#domain";
import { aloneOr, allListsOf, either, letters } from "./lists.ts";
import text from "./lists/bans.txt" with { type: "text" };

const lists = allListsOf(text);
const list = (name: string): readonly string[] => lists.get(name) ?? [];
const places = (name: string): readonly string[] => list(`${name}, any place`);
const anyOf = (name: string): RegExp => new RegExp(aloneOr(letters, list(name), places(name)), "u");

const moment = anyOf("moment");
const condition = anyOf("condition");
const leave = anyOf("leave");
const lasting = anyOf("lasting");
const uses = anyOf("use");
const writes = anyOf("write");
const deletes = anyOf("delete");
const other = anyOf("ban, other");
const programs = new Set(list("programs"));
const programWords = new Set(list("words of programs"));
const notNames = new Set(list("not a name"));

/** English says it before what is forbidden, with no more between than this. */
const before = String.raw`(?<!\p{L})(?:${either(list("ban"))}) (?:(?:${either(list("filler"))}) )*`;
const bare = String.raw`(?<!\p{L})(?:${either(list("ban, bare"))}) (?:the |any )?`;
const after = String.raw` ${either(list("banned"))}`;
const verbs = (name: string): string =>
  String.raw`(?:${either(list(name))}) (?:the |a |any |plain |raw )*`;

const anyBan = new RegExp(
  either([
    aloneOr(letters, [...list("ban"), ...list("ban, bare"), ...list("off")]),
    `(?:${after})`,
  ]),
  "u",
);

const tick = "`";
const span = `${tick}[^${tick}]*${tick}`;

/** "commit secrets", "push notifications": what follows an act in English may make it another one. */
const bareAct = String.raw`(?= *$| (?:--[a-z]|(?:${either(list("after an act"))})(?!\p{L})))`;

interface Act {
  readonly isSpecial: boolean;
  /** In English, beside what forbids it. */
  readonly banned: RegExp;
  /** In any language. */
  readonly named: RegExp;
  readonly commands: readonly (readonly string[])[];
}

const special = new Set(["amend", "force push", "hooks"]);
const kinds: readonly string[] = [...lists.keys()].flatMap((name) =>
  name.startsWith("does ") ? name.slice("does ".length) : [],
);
const acts: readonly Act[] = kinds.map((kind) => {
  const words = either(list(`act ${kind}`));
  return {
    isSpecial: special.has(kind),
    banned: new RegExp(
      either([
        String.raw`${before}(?:\p{L}+ (?:and|or) )?(?:${words})${bareAct}`,
        String.raw`(?<!\p{L})no (?=\p{L}+ing(?!\p{L}))(?:${words})`,
        `(?:${words})${after}`,
      ]),
      "u",
    ),
    named: anyOf(`act ${kind}`),
    commands: list(`does ${kind}`).map((line) => line.split(" ")),
  };
});

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

/** Is what is forbidden forbidden for more than this once, by words that only a ban makes lasting? */
export const isLastingBan = (sentence: string): boolean => {
  const plain = sentence.toLowerCase().replaceAll("’", "'");
  return lasting.test(plain) || leave.test(plain);
};

/** As it was written: names keep their letters. Code spans hold what they hold. */
const clausesOf = (sentence: string): readonly string[] =>
  sentence
    .replaceAll("’", "'")
    .replace(/\bnever,? ever\b/giu, "never")
    .split(
      /(?:[,;:!。，；：！、]|\.(?=\s|$)|\s[-–—]\s|\s(?:but|and then|sondern|mais|pero|mas|но)\s)(?=(?:[^`]*`[^`]*`)*[^`]*$)/u,
    )
    .map((clause) => clause.trim().replace(/\s+/gu, " "))
    .filter((clause) => clause !== "");

/** Most sentences forbid nothing: told by one look. */
const forbids = (clause: string): boolean => {
  const plain = clause.toLowerCase();
  return anyBan.test(plain) || other.test(plain);
};

/** For this once, or on a condition that the agent could meet. */
function isFree(clause: string): boolean {
  const plain = clause.toLowerCase();
  return moment.test(plain) || (condition.test(plain) && !leave.test(plain));
}

/** Is this forbidden in the clause? `words`: as a pattern, in lower case. */
function isBanned(plain: string, words: string, isBareToo: boolean): boolean {
  const alone = String.raw`(?:${words})(?!\p{L}|-\p{L})`;
  return (
    new RegExp(before + alone, "u").test(plain) ||
    (isBareToo && new RegExp(`${bare}${alone}`, "u").test(plain)) ||
    new RegExp(alone + after, "u").test(plain)
  );
}

function acting(clause: string): GuardForm | null {
  const plain = withoutCode(clause).toLowerCase();
  const all = acts.filter(
    ({ banned, named }) => banned.test(plain) || (other.test(plain) && named.test(plain)),
  );
  // To force a push says more than to push.
  const special = all.filter(({ isSpecial }) => isSpecial);
  const flags = plain.match(/(?<=\s)--[a-z][a-z-]+/gu) ?? [];
  const commands = (special.length > 0 ? special : all).flatMap((act) =>
    act.commands.map((words) => (act.isSpecial ? words : [...words, ...flags])),
  );
  if (commands.length === 0) return null;
  const names = nears.find(({ pattern }) => pattern.test(plain))?.names ?? [];
  // On which branch a commit lands stands in no command.
  const isBranch = names.includes("main") || names.includes("master");
  if (isBranch && commands.some(([, word]) => word !== "push")) return null;
  return { type: "run", commands, near: names };
}

const withoutCode = (clause: string): string => clause.replace(/`[^`]*`/gu, "`");

/** `npm run x` between backticks, or a program that everybody knows, behind a word that forbids using it. */
function running(clause: string): GuardForm | null {
  const plain = clause.toLowerCase();
  const isOther = other.test(plain) && uses.test(plain);
  const [, code] = /`([^`]{2,80})`/u.exec(clause) ?? [];
  if (code === undefined) return namedProgram(plain, isOther);
  const words = code.trim().split(/\s+/);
  const isCommand = programs.has(words[0] ?? "") || words.length > 1;
  const isMeant = isOther || isBanned(plain, `(?:${verbs("use")})?${span}`, true);
  return isCommand && isMeant ? command(words) : null;
}

function namedProgram(plain: string, isOther: boolean): GuardForm | null {
  for (const { 0: name, index } of plain.matchAll(/(?<![a-z0-9./@_-])[a-z][a-z0-9-]+/gu)) {
    const isMeant = (): boolean =>
      isOther || isBanned(plain, verbs("use") + name, false) || isBanned(plain, name, true);
    if (!programs.has(name) || !isMeant()) continue;
    const rest = plain
      .slice(index + name.length)
      .trim()
      .split(" ");
    const words = wordsAfter(rest.filter((word) => word !== ""));
    if (words !== null) return command([name, ...words]);
  }
  return null;
}

/** Words that end what a program is told. */
const follower = new RegExp(String.raw`^(?:${either(list("after a program"))}|\P{L}.*)$`, "u");

/** What of a sentence goes on a command; null where it talks about something else ("npm packages"). */
function wordsAfter(rest: readonly string[]): readonly string[] | null {
  const words: string[] = [];
  for (const word of rest) {
    if (word.startsWith("-") || programWords.has(word)) words.push(word);
    else return follower.test(word) || /^[^\x00-\x7f]/u.test(word) ? words : null;
  }
  return words;
}

/** Bundled short flags are looked for one by one. */
const command = (words: readonly string[]): GuardForm => ({
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
  near: [],
});

/** Names of files and folders: between backticks, with a slash or an ending, or beside a word for a folder. */
function pathIn(clause: string): string | null {
  const folder = either(list("folder"));
  const beside = [
    new RegExp(String.raw`([\w.@/-]+)[ -](?:${folder})(?!\p{L})`, "iu"),
    new RegExp(String.raw`(?<!\p{L})(?:${folder}) ([\w.@/-]+)`, "iu"),
    new RegExp(String.raw`([\w.@/-]+) ?(?:${either(places("folder"))})`, "iu"),
  ];
  const candidates = [
    /`([\w.@/~-]+)`/u.exec(clause)?.[1],
    ...beside.map((pattern) => pattern.exec(clause)?.[1]),
    /(?<![\w/.-])((?:[\w.@~-]*\/)+[\w.@-]*|\.[a-z]\w+(?:\.\w+)*|[\w-]+(?:\.[\w-]+)*\.[a-z]{1,5})(?![\w/-])/iu.exec(
      clause,
    )?.[1],
  ];
  const path = candidates.find((name) => name !== undefined && isPathName(name));
  return path === undefined ? null : path.replace(/[.,]$/, "");
}

const isPathName = (name: string): boolean =>
  /\w{2}/.test(name) && !notNames.has(name.toLowerCase()) && name.length <= 120;

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
    new RegExp(String.raw`(?<!\p{L})(?:${either(list("off"))}) ${place}`, "u").test(plain) ||
    new RegExp(`${place}${tick}?(?: (?:${either(list("folder"))}))?${after}`, "u").test(plain);
  if (isSaid("write") || isOff) return { type: "write", path, deletes: false };
  return isSaid("delete") ? { type: "write", path, deletes: true } : null;
}
