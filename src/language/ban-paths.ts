/** Finds the name of the file or the folder that a ban is about. Pure. */
import { any, list, places } from "./ban-lists.ts";
import { either } from "./lists.ts";

const notNames = new Set(list("not a name"));

/** Names of files and folders: between backticks, with a slash or an ending, or beside a word for a folder. */
export function pathIn(clause: string): string | null {
  const folder = any("folder");
  const beside = [
    new RegExp(String.raw`([\w.@/-]+)[ -](?:${folder})(?!\p{L})`, "iu"),
    new RegExp(String.raw`(?<!\p{L})(?:${folder}) ([\w.@/-]+)`, "iu"),
    new RegExp(String.raw`([\w.@/-]+) ?(?:${either(places("folder"))})`, "iu"),
  ];
  const candidates = [
    /`([\w.@/~-]+)`/u.exec(clause)?.[1],
    ...beside.map((pattern) => pattern.exec(clause)?.[1]),
    offName.exec(clause)?.[1],
    ...inFolder.map((pattern) => pattern.exec(clause)?.[1]),
    plainPath.exec(clause)?.[1],
  ];
  const path = candidates.find((name) => name !== undefined && isPathName(name));
  return path === undefined ? null : path.replace(/[.,]$/, "");
}

/** With a slash or an ending. */
const plainPath = new RegExp(
  String.raw`(?<![\w/.-])((?:[\w.@~-]*\/)+[\w.@-]*|\.[a-z]\w+(?:\.\w+)*|[\w-]+(?:\.[\w-]+)*\.[a-z]{1,5})` +
    String.raw`(?![\w/]|-(?!datei))`,
  "iu",
);

/** "The files in vendor", and the names of folders that are known without a word for it. */
const inFolder = [
  new RegExp(
    String.raw`(?<!\p{L})(?:${any("files in")}) (?:the |dem |den |der |le |la |el |o |a )?([\w.@/-]+)` +
      String.raw`(?= *$| (?:nicht|nie|niemals)(?!\p{L}))`,
    "iu",
  ),
  new RegExp(String.raw`([\w.@/-]+) ?(?:${any("files in, behind")})`, "iu"),
  new RegExp(String.raw`(?<![\w/.-])(${any("known folders")})(?![\w/.-]| \p{L}+s(?!\p{L}))`, "iu"),
];

/** "hands off vendor"; not "leave it". */
const offName = new RegExp(
  String.raw`(?:${either(list("off").filter((one) => one !== "leave"))}) (?:the )?([\w.@/-]+)$`,
  "iu",
);

export const isPathName = (name: string): boolean =>
  /\w{2}/.test(name) && !notNames.has(name.toLowerCase()) && name.length <= 120;

/** "Never run rm -rf on data": a name in the path that a command is told. Of git it would be a branch. */
export function placeTold(plain: string, words: readonly string[]): readonly string[] {
  const [program = ""] = words;
  if (program === "git") return [];
  const command = words.join(" ");
  const behind = plain.slice(plain.indexOf(program)).replace(command, " ").replaceAll("`", " ");
  const [, named = ""] = ofFiles.test(program) ? (toldName.exec(behind) ?? []) : [];
  const path = pathIn(behind) ?? (isPathName(named) ? named : "");
  const last = path.split("/").findLast((name) => name !== "") ?? "";
  return /[a-z\d]+/u.exec(last)?.slice(0, 1) ?? [];
}
/** Programs that are told files. */
const ofFiles = /^(?:rm|mv|cp|chmod|chown|sed|shred|truncate|rsync)$/u;
const toldName =
  /^ *(?:(?:on|in|auf|sur|dans|en|em|на|в) (?:the |la |le |el |o |a )?)?([\w.@/-]+)(?= *$| \p{L}+en$)/u;

/** "The .env files": `.env` and `.env.local`; the readme may have an ending. */
export const isFamily = (path: string, plain: string): boolean =>
  /^(?:readme|changelog|licen[cs]e)$/iu.test(path) ||
  (/^\.\w+$/.test(path) && familyOf.exec(plain)?.slice(1).includes(path.toLowerCase()) === true);
const familyOf = new RegExp(
  String.raw`(\.\w+)\x60?[ -](?:files|dateien)(?!\p{L})` +
    String.raw`|(?<!\p{L})(?:fichiers|archivos|ficheros|arquivos|ficheiros|файл(?:ы|ов)) \x60?(\.\w+)`,
  "u",
);
