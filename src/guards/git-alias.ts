/** Git's own short names: `git pu`, `git -c alias.p=push p`. Pure but for the look-up that it is given. */
import { wordsOf } from "./options.ts";
import { programsOf, type Program } from "./programs.ts";
import { commandsIn, type Variables } from "./shell.ts";

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
