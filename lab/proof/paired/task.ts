/**
 * A paired task: a small repository, what was said in earlier sessions, a prompt, and a hidden check. One file holds all:
 * a head, then sections that begin with `== NAME`. Sessions are written as voices are (lab/train/README.md).
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

export const tasksFolder = join(import.meta.dir, "..", "tasks");

/** The first five need what was said; the rest are hurt by it, or indifferent. */
const needing = ["rule", "decision", "cause", "limit", "change"] as const;

export type Group = "needed" | "irrelevant" | "stale";

export interface Task {
  readonly name: string;
  readonly kind: string;
  readonly group: Group;
  readonly project: string;
  /** Host and path of the repository's remote. */
  readonly remote: string;
  readonly atMs: number;
  /** The fact that an agent has to know, for readers. */
  readonly needs: string;
  /** Stands in every text that tells it; null where nothing has to be known. */
  readonly fact: RegExp | null;
  readonly sessions: string;
  readonly files: ReadonlyMap<string, string>;
  readonly prompt: string;
  readonly check: string;
  /** Files that pass the check, to test it with. */
  readonly solution: ReadonlyMap<string, string>;
}

const groupOf = (kind: string): Group => {
  if (needing.some((one) => one === kind)) return "needed";
  return kind === "irrelevant" ? "irrelevant" : "stale";
};

export function readTask(path: string): Task {
  const [head = "", ...parts] = readFileSync(path, "utf8").split(/^== /mu);
  const said = new Map(
    head.split("\n").map((line) => {
      const [word = "", ...rest] = line.split(" ");
      return [word, rest.join(" ")] as const;
    }),
  );
  const sections = new Map(
    parts.map((part) => {
      const end = part.indexOf("\n");
      return [part.slice(0, end), part.slice(end + 1)] as const;
    }),
  );
  const below = (word: string): ReadonlyMap<string, string> =>
    new Map(
      [...sections].flatMap(([name, text]) =>
        name.startsWith(`${word} `) ? [[name.slice(word.length + 1), text] as const] : [],
      ),
    );
  const kind = said.get("kind") ?? "";
  const [project = "", remote = ""] = (said.get("project") ?? "").split(" ");
  return {
    name: basename(path, ".task"),
    kind,
    group: groupOf(kind),
    project,
    remote,
    atMs: Date.parse(`${said.get("at") ?? ""}T10:00:00Z`),
    needs: said.get("needs") ?? "",
    fact: said.has("fact") ? new RegExp(said.get("fact") ?? "", "iu") : null,
    sessions: sections.get("sessions") ?? "",
    files: below("file"),
    prompt: (sections.get("prompt") ?? "").trim(),
    check: sections.get("check") ?? "",
    solution: below("solution"),
  };
}

export const readTasks = (folder = tasksFolder): readonly Task[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".task"))
    .toSorted()
    .map((name) => readTask(join(folder, name)));

export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** `misled`: the answer is the one that an outdated memory leads to. */
export type Verdict = "solved" | "failed" | "misled";

/** Beside node's own: `load` a file of the repository, `py` runs Python and returns what it prints, `trap` tells a misled answer. */
const prelude = `import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
const load = (path) => import(pathToFileURL(resolve(path)).href);
const py = (code) => execFileSync("python3", ["-c", code], { encoding: "utf8" }).trim();
const trap = (isMisled) => { if (isMisled) process.exit(2); };
`;

const secondsMax = 20;

/** Runs the hidden check of a task in a working folder. */
export function verdictOf({ check }: Task, folder: string): Verdict {
  const scratch = mkdtempSync(join(tmpdir(), "continuity-check-"));
  try {
    const script = join(scratch, "check.mjs");
    writeFileSync(script, prelude + check);
    const { exitCode } = Bun.spawnSync([process.execPath, script], {
      cwd: folder,
      timeout: secondsMax * 1_000,
      stdout: "ignore",
      stderr: "ignore",
    });
    if (exitCode === 2) return "misled";
    return exitCode === 0 ? "solved" : "failed";
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
