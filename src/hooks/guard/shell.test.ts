/** A command line as a shell reads it: what runs is found, what is only written about is not. */
import { expect, test } from "bun:test";
import { guardAgainst } from "./match.ts";
import { commandsIn } from "./shell.ts";
import { cpuMs } from "../../../test/support/cpu-ms.ts";

const push = {
  decision: "ask",
  form: { type: "run", commands: [["git", "push"]], near: [] },
} as const;

const isPush = (command: string): boolean =>
  guardAgainst([push], { tool: "Bash", command, path: null, cwd: "/p", root: "/p" }) !== null;

const message = `git commit -m "$(cat <<'EOF'
fix: don't (ever) git push

It's "done"; git push
EOF
)"`;

test.each([
  "git  push",
  "git \\\n  push",
  '"git" push',
  "git 'push'",
  "g''it pu\"sh\"",
  "git -c core.editor=true push",
  "(git push) &",
  "git push&",
  "! git push",
  "while ! git push; do sleep 1; done",
  "nohup git push >/dev/null 2>&1 &",
  "bash <<'E'\ngit push\nE",
  "cat <<E | bash\ngit push\nE",
  "echo git push | sh",
  "x=git; $x push",
  'eval "git push"',
  "f() { git push; }; f",
  "case x in a) git push;; esac",
  "[[ -f x ]] && git push",
  "{ git push; }",
  "ls # nothing\ngit push",
  "diff <(git push) x",
  "echo `git push`",
  'echo "$(git push)"',
  "git push 2>&1 | tail -5",
  "git push <<< y",
  "cat <<A <<B; git push\na\nA\nb\nB",
  `${message} && git push`,
  `git add . && ${message}\ngit push`,
  "sudo -u dev -- git push",
  "env -i PATH=/bin git push",
  "xargs -I{} git -C {} push < repos",
  "find . -maxdepth 1 -exec git -C {} push \\;",
  "echo $((1 + 2)) && git push",
  "git push 'unclosed",
])("pushes: %s", (command) => expect(isPush(command)).toBe(true));

test.each([
  message,
  `${message} && git status`,
  "cat > run.sh <<'E'\ngit push\nE",
  "cat <<A <<B\ngit push\nA\ngit push\nB",
  "echo 'a; git push'",
  "echo a\\; git push",
  "echo git push",
  "# git push",
  "ls #git push",
  "git log -- push",
  "git stash push",
  "x='git push'",
  "git commit -m push",
  "gitpush",
  "git-push-all",
  "git push --help",
  "git push --dry-run",
  "ssh host 'git push'",
  "",
  "   ",
])("does not: %s", (command) => expect(isPush(command)).toBe(false));

test("a folder is followed, into a subshell and out of it", () => {
  const cwds = commandsIn("cd a && ls; (cd ../b; ls); ls; cd /c/./d/..; ls", "/p")
    .filter(({ words }) => words[0] === "ls")
    .map(({ cwd }) => cwd);
  expect(cwds).toEqual(["/p/a", "/p/b", "/p/a", "/c"]);
});

test("whatever is given is read to its end, and soon", () => {
  const hostile = [
    "(",
    "$(",
    "`",
    "'",
    '"',
    "<(",
    "cat <<A\n",
    "eval ",
    "find a -exec ",
    "A=$A$A;",
  ];
  for (const part of hostile) {
    const started = cpuMs();
    isPush(part.repeat(100_000 / part.length));
    expect(cpuMs() - started).toBeLessThan(5_000);
  }
});
