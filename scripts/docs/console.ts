/**
 * Runs the examples of a document. Fences marked `console` hold commands (`$ command`, continued on lines that begin with
 * `> `) and what they print. All fences of a document run in order in one shell, in a home folder of their own, with
 * the built program on the path as `continuity` and its folder in reach as `~/continuity/dist`.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { stopDaemon } from "#daemon";
import { homePaths } from "#domain";
import { matches } from "./loose.ts";

export interface Example {
  /** Line of the document that holds the `$`, from 1. */
  readonly line: number;
  readonly command: string;
  readonly shown: readonly string[];
}

export interface RanExample extends Example {
  readonly printed: readonly string[];
  readonly status: number;
  readonly fits: boolean;
}

/** `CONTINUITY_BINARY` names another build to try. */
export const binary = resolve(
  process.env["CONTINUITY_BINARY"] ?? join(import.meta.dir, "..", "..", "dist", "continuity"),
);
const timeoutMs = 60_000;
const runsMax = 4;
/** The name of the reader's home in documents. */
const shownHome = "/home/you";

/** The examples of a markdown text, in order. */
export function examplesIn(markdown: string): readonly Example[] {
  const examples: Example[] = [];
  let isInside = false;
  for (const [at, line] of markdown.split("\n").entries()) {
    if (line.startsWith("```")) isInside = line.trim() === "```console";
    else if (isInside) takeLine(examples, line, at + 1);
  }
  return examples;
}

function takeLine(examples: Example[], line: string, number: number): void {
  if (line.startsWith("$ ")) {
    examples.push({ line: number, command: line.slice(2), shown: [] });
    return;
  }
  const last = examples.pop();
  if (last === undefined) throw new Error(`line ${number}: a console fence begins with "$ "`);
  const isContinued = line.startsWith("> ") && last.shown.length === 0;
  examples.push(
    isContinued
      ? { ...last, command: `${last.command}\n${line.slice(2)}` }
      : { ...last, shown: [...last.shown, line] },
  );
}

/**
 * Runs all examples of one document, again where a hook went on without its answer, as it does on a busy machine: what
 * comes after it differs then.
 */
export async function runExamples(examples: readonly Example[]): Promise<readonly RanExample[]> {
  let ran = await runOnce(examples);
  for (let n = 1; n < runsMax && ran.some(isUnanswered); n += 1) ran = await runOnce(examples);
  return ran;
}

const isUnanswered = ({ shown, printed }: RanExample): boolean =>
  printed.length === 0 && shown.some((line) => line.startsWith('{"hookSpecificOutput":'));

/** Stops the daemon that the examples started and removes their home. */
async function runOnce(examples: readonly Example[]): Promise<readonly RanExample[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "continuity-docs-")));
  const home = join(folder, "you");
  const clone = join(home, "continuity");
  mkdirSync(join(clone, "dist"), { recursive: true });
  symlinkSync(binary, join(clone, "dist", "continuity"));
  try {
    const child = Bun.spawn(["bash", "-c", scriptOf(examples)], {
      cwd: clone,
      env: environment(home, join(clone, "dist")),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
      timeout: timeoutMs,
    });
    const output = await new Response(child.stdout).text();
    await child.exited;
    return examples.map((example, at) => ranExample(example, at, presentable(output, home)));
  } finally {
    await stopDaemon(homePaths(join(home, ".continuity")));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nothing of the caller's environment but where programs are. Port 0: tests run side by side. */
const environment = (home: string, programs: string): Record<string, string> => ({
  PATH: `${programs}:${process.env["PATH"] ?? ""}`,
  HOME: home,
  USER: "you",
  LANG: "C.UTF-8",
  TZ: "UTC",
  NO_COLOR: "1",
  CONTINUITY_PORT: "0",
});

// Characters that no command prints.
const [begin, end] = ["\u001e", "\u001f"];

const scriptOf = (examples: readonly Example[]): string =>
  [
    "exec 2>&1",
    ...examples.flatMap(({ command }, at) => [
      `printf '${begin}${at}\\n'`,
      command,
      `printf '${end}%d\\n' $?`,
    ]),
  ].join("\n");

const presentable = (output: string, home: string): string =>
  output.replaceAll(home, shownHome).replaceAll(dirname(binary), `${shownHome}/continuity/dist`);

function ranExample(example: Example, at: number, output: string): RanExample {
  const from = output.indexOf(`${begin}${at}\n`);
  const to = output.indexOf(end, from);
  if (from < 0 || to < 0)
    return { ...example, printed: ["(it never came to this)"], status: -1, fits: false };
  const text = output.slice(output.indexOf("\n", from) + 1, to);
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  // A hook that was too late leaves its notice to the next: which one tells it depends on the machine.
  const printed = lines.filter((line) => !line.startsWith('{"systemMessage":'));
  const status = Number.parseInt(output.slice(to + 1), 10);
  return { ...example, printed, status, fits: status === 0 && matches(example.shown, printed) };
}

/**
 * `isRefreshable` tells whether the output of an example can be written by the program: it ran, and
 * nobody shortened it by hand.
 */
export const isRefreshable = ({ status, shown }: RanExample): boolean =>
  status === 0 && !shown.some((line) => line.trimEnd().endsWith("…"));

/** The document with what its commands really printed, where that differs from what it shows. */
export function withOutputs(markdown: string, ran: readonly RanExample[]): string {
  const lines = markdown.split("\n");
  for (const example of ran.toReversed()) {
    if (example.fits || !isRefreshable(example)) continue;
    const { line, command, shown, printed } = example;
    lines.splice(line - 1 + command.split("\n").length, shown.length, ...printed);
  }
  return lines.join("\n");
}
