/** Lists the files that a program changes, as far as its words tell. Pure. */
import { optionsOf, wordsOf } from "./options.ts";
import type { Program } from "./programs.ts";

/** Programs that change every file they name, or the last one only. */
const writers: Readonly<Record<string, "all" | "last">> = {
  ...Object.fromEntries(
    (
      "rm rmdir unlink shred trash rimraf mv touch mkdir tee sponge truncate chmod chown chgrp patch black rustfmt " +
      "isort dos2unix rename ed ex vi vim nvim nano"
    )
      .split(" ")
      .map((name) => [name, "all"] as const),
  ),
  ...Object.fromEntries(
    "cp ln install rsync scp".split(" ").map((name) => [name, "last"] as const),
  ),
};
const deleters = new Set("rm rmdir unlink shred trash rimraf".split(" "));
const gitWriters = new Set(["rm", "mv", "checkout", "restore", "clean"]);
const gitDeleters = new Set(["rm", "clean"]);
const inPlace = /^(?:-[A-Za-z]*i[^/]*|--in-?place(?:=.*)?)$/;

export function writtenBy(program: Program, deletesOnly: boolean): readonly string[] {
  const { name, args, fed } = program;
  const files = [...args.filter((word) => !word.startsWith("-")), ...fed];
  if (name === "git") {
    const [sub = "", ...rest] = wordsOf(program, args.length);
    const isDry = optionsOf(program).has("dry-run");
    return !isDry && (deletesOnly ? gitDeleters : gitWriters).has(sub) ? rest : [];
  }
  if (deletesOnly) return deleters.has(name) ? files : [];
  const how = Object.hasOwn(writers, name) ? writers[name] : undefined;
  const named = namedOutputs(program);
  if (how !== undefined) return how === "all" ? files : [...files.slice(-1), ...named];
  return [...named, ...(isInPlace(program) ? files : [])];
}

/** Does it take away or move whatever lies below what it names? */
export const takesAll = (program: Program): boolean =>
  program.name === "mv" || (deleters.has(program.name) && optionsOf(program).has("recursive"));

/** Editors of streams that write what they read, and formatters. */
const isInPlace = ({ name, args }: Program): boolean =>
  args.some((word) => {
    if (/^(?:g?sed|perl|ruby|yq|autopep8|yapf|clang-format)$/.test(name)) return inPlace.test(word);
    if (/^(?:gofmt|goimports|shfmt)$/.test(name)) return word === "-w";
    return word === "--write" || word === "--fix" || (name === "ruff" && word === "format");
  });

const outputs =
  /^--(?:output|output-document|output-dir|out|outfile|out-file|outdir|target-directory)$/;
/** Short options of some programs that name what is written. */
const shortOutputs: Readonly<Record<string, string>> = {
  curl: "-o",
  wget: "-O -P",
  sort: "-o",
  gcc: "-o",
  cc: "-o",
  clang: "-o",
  pandoc: "-o",
  openssl: "-out",
  unzip: "-d",
  cp: "-t",
  mv: "-t",
};

function namedOutputs({ name, args }: Program): readonly string[] {
  if (name === "dd") return args.flatMap((word) => (word.startsWith("of=") ? word.slice(3) : []));
  const short = Object.hasOwn(shortOutputs, name) ? (shortOutputs[name] ?? "").split(" ") : [];
  const isExtract = name === "tar" && args.some((word) => /^(?:-?[A-Za-z]*x|--extract)/.test(word));
  return args.flatMap((word, at) => {
    const before = args[at - 1] ?? "";
    const [option = "", value] = word.split(/=(.*)/s);
    if (outputs.test(before) || short.includes(before)) return word;
    if (isExtract && (before === "-C" || before === "--directory")) return word;
    return value !== undefined && outputs.test(option) ? value : [];
  });
}
