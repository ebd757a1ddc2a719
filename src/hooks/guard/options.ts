/** Options of programs: those that take a value, those that name a folder, and one name for each way to write them. */

/** A program's name and its arguments. */
interface Words {
  readonly name: string;
  readonly args: readonly string[];
}

/** Options before the words of a command that take a value. */
const valueOptions: Readonly<Record<string, string>> = {
  git: "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix -m --message -o --push-option",
  npm: "--prefix -w --workspace -C --loglevel",
  pnpm: "-C --dir -F --filter --prefix",
  yarn: "--cwd",
  bun: "--cwd --filter",
  pip: "-r --requirement -c --constraint -e --editable -i --index-url -t --target",
  docker:
    "-H --host --context -c -f --file -p --project-name --project-directory --profile --env-file -l --log-level",
  kubectl: "-n --namespace --context --cluster --kubeconfig -s --server",
  helm: "-n --namespace --kube-context --kubeconfig",
  gh: "-R --repo",
  make: "-C -f --directory --file -I -o -W",
  cargo: "--manifest-path --config -Z --color -C",
  go: "-C",
  uv: "--directory --project",
  alembic: "-c -x -n --config --name",
  terraform: "-chdir",
};

/** Options that name the folder in which a program acts. */
const folderOptions: Readonly<Record<string, string>> = {
  git: "-C --work-tree --git-dir",
  npm: "--prefix -C",
  pnpm: "-C --dir --prefix",
  yarn: "--cwd",
  bun: "--cwd",
  make: "-C --directory",
  cargo: "-C --manifest-path",
  go: "-C",
  uv: "--directory --project",
  poetry: "-C --directory",
  docker: "--project-directory",
  terraform: "-chdir",
};

/** `LETTERS=NAME`, of a program or of one of its commands; what a name is not given for is its own. */
const names: Readonly<Record<string, string>> = {
  rm: "rR=recursive f=force",
  cp: "rR=recursive f=force",
  mv: "f=force",
  chmod: "rR=recursive",
  chown: "rR=recursive",
  chgrp: "rR=recursive",
  "git commit": "n=no-verify a=all",
  "git push": "f=force d=delete n=dry-run",
  "git branch": "D=delete d=delete m=move M=move l=list r=remotes u=set-upstream-to f=force",
  "git tag": "d=delete l=list n=list v=verify",
  "git checkout": "bB=create f=force",
  "git switch": "cC=create",
  "git clean": "f=force d=d x=x n=dry-run",
  "git pull": "r=rebase",
  "git rebase": "i=interactive",
  "git add": "A=all",
  docker: "f=force v=volumes a=all",
  npm: "g=global f=force",
  pnpm: "g=global",
  bun: "g=global",
  pip: "U=upgrade",
  go: "u=update",
  curl: "k=insecure",
  kubectl: "A=all-namespaces",
};
/** They write long options with one dash. */
const oneDash = new Set(["terraform", "tofu", "packer", "go", "find", "java"]);
/** Long options of these may be cut short. */
const cuttable = new Set(["rm", "cp", "mv", "chmod", "chown", "chgrp"]);

const listed = (table: Readonly<Record<string, string>>, name: string): readonly string[] =>
  Object.hasOwn(table, name) ? (table[name] ?? "").split(" ") : [];

/** The first words that are neither options nor their values. */
export function wordsOf({ name, args }: Words, count: number): string[] {
  const taking = listed(valueOptions, name);
  const words: string[] = [];
  for (let at = 0; at < args.length && words.length < count; at += 1) {
    const word = args[at] ?? "";
    if (word.startsWith("-")) at += taking.includes(word) ? 1 : 0;
    else if (!(name === "cargo" && word.startsWith("+"))) words.push(word);
  }
  return words;
}

/** Words with which a package manager only shows something. */
const looks = new Set(
  (
    "view info show search ls list ll la outdated why explain root prefix bin docs home repo bugs whoami ping help " +
    "freeze"
  ).split(" "),
);
const managers = new Set(
  "npm pnpm yarn bun pip uv poetry pdm pipenv conda brew apt gem cargo composer".split(" "),
);

/** Does it only tell something, as `npm view` and `python --version` do? */
export function isLook(program: Words, options: ReadonlySet<string>): boolean {
  const [word] = wordsOf(program, 1);
  if (word === undefined) return options.has("version") || /^-[vV]$/.test(program.args.join(" "));
  // The value of an option that is not known here reads as a word.
  return managers.has(program.name) && program.args[0] === word && looks.has(word);
}

/** Folders that its options name, in order. */
export function foldersOf({ name, args }: Words): readonly string[] {
  const naming = listed(folderOptions, name);
  return args.flatMap((word, at) => {
    const value = naming.includes(word)
      ? args[at + 1]
      : naming.flatMap((one) => (word.startsWith(`${one}=`) ? word.slice(one.length + 1) : []))[0];
    return value === undefined ? [] : value.replace(/(?:\/?\.git|\/Cargo\.toml)$/, "") || ".";
  });
}

/** One name for each option that is given: `-Rf` and `--recursive --force` are the same two. */
export function optionsOf({ name, args }: Words): ReadonlySet<string> {
  const [sub = ""] = wordsOf({ name, args }, 1);
  const known = [...listed(names, `${name} ${sub}`), ...listed(names, name)].map((one) => {
    const [letters = "", long = ""] = one.split("=");
    return { letters, long };
  });
  const end = args.indexOf("--");
  return new Set(
    args.slice(0, end < 0 ? args.length : end).flatMap((word) => namesOf(word, name, known)),
  );
}

type Known = readonly { readonly letters: string; readonly long: string }[];

function namesOf(word: string, program: string, known: Known): readonly string[] {
  const [, dashes, text = "", value] = /^(--?)([A-Za-z][\w-]*)(=)?/.exec(word) ?? [];
  if (dashes === undefined) return [];
  if (dashes === "--" || oneDash.has(program) || program === "*") {
    const isMeant = ({ letters, long }: Known[number]): boolean =>
      letters === text || (cuttable.has(program) && long.startsWith(text));
    return [known.find(isMeant)?.long ?? text];
  }
  const letters = value === undefined ? text.split("") : [text.charAt(0)];
  return letters.map((one) => known.find((each) => each.letters.includes(one))?.long ?? one);
}

// A command line of PowerShell in the words of a shell: paths, escapes, and the cmdlets that change files. Pure.

/** Shell command that a cmdlet stands for, by its name and its short names. */
const cmdlets: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/(?<![\w-])(?:remove-item|ri|del|erase|rd)(?![\w-])/gi, "rm"],
  [
    /(?<![\w-])(?:set-content|add-content|out-file|clear-content|new-item|sc|ac|ni)(?![\w-])/gi,
    "tee",
  ],
  [/(?<![\w-])(?:copy-item|copy|cpi)(?![\w-])/gi, "cp"],
  [/(?<![\w-])(?:move-item|rename-item|move|ren|mi)(?![\w-])/gi, "mv"],
  [/(?<![\w-])(?:set-location|push-location|chdir|sl)(?![\w-])/gi, "cd"],
  [/(?<![\w-])(?:invoke-expression|iex)(?![\w-])/gi, "eval"],
];

export function powerShellAsShell(command: string): string {
  const plain = command
    .replaceAll("\\", "/")
    .replaceAll(/`\r?\n/g, " ")
    .replaceAll(/`(.)/g, "$1")
    .replaceAll(/(?<=\s)-re(?:curse|c|cu|cur|curs)?(?=\s|$)/gi, "-r")
    .replaceAll(/(?<=\s)-fo(?:rce|r|rc)?(?=\s|$)/gi, "-f")
    .replaceAll(/(?<=\s)-(?:path|literalpath|filepath|value)\s+/gi, "");
  return cmdlets.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), plain);
}
