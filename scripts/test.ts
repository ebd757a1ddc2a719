/**
 * Runs the checks (types, lint, format, dead code) and every test, and ends with one line: `N passed, N failed`.
 *
 *   bun scripts/test.ts [test path filters]
 *
 * Each check counts as one test, so that a lint error fails the suite as loudly as a broken promise. A test that failed
 * beside others runs once more with its file, alone: it fails the suite when it fails again, and is named when it does
 * not.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { checks, runCheck } from "./check.ts";

const filters = process.argv.slice(2);
const failedChecks: string[] = [];
const passedAlone: string[] = [];
let passed = 0;
let failed = 0;

if (filters.length === 0) {
  for (const check of checks) {
    const { ok, output, seconds } = runCheck(check);
    console.log(`${ok ? "✓" : "✗"} ${check.name} (${seconds.toFixed(1)} s)`);
    if (ok) passed += 1;
    else {
      failed += 1;
      failedChecks.push(check.name);
      console.log(output);
    }
  }
}

/** More than these have one cause, which is not that they ran side by side. */
const filesAgainMax = 6;
/**
 * Each test has a vector index of its own, and so a memory of WebAssembly: of the quick kind there are few, and for one
 * more the engine first collects all garbage, which took half the time of the tests below src.
 */
const testing = { BUN_JSC_useWasmFastMemory: "0" };
const folder = mkdtempSync(join(tmpdir(), "continuity-tests-"));
const homes = inMemory() ?? folder;
process.on("exit", () => {
  for (const path of [folder, homes]) rmSync(path, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
// One process more than cores: most of what takes long waits for programs, terminals and pages. The modules that a
// process has loaded serve all of its files, as in a run of one process.
const parallel = [`--parallel=${availableParallelism() + 1}`, "--no-isolate"];
const all = await run([...parallel, ...filters]);
passed += all.passed;
failed += all.failed;
// A crash of the runner itself must not read as success.
if (all.failed === 0 && (all.exitCode !== 0 || all.passed === 0)) failed += 1;
// A hook that lost the race for a processor to another test goes on without its answer, as it should.
const files = new Set(all.failures.map(({ file }) => file));
for (const file of files.size > filesAgainMax ? [] : files) {
  console.log(`\n${file} once more, alone:`);
  const again = await run([`./${file}`]);
  const stillFailing = new Set(again.failures.map(({ name }) => name));
  for (const one of all.failures) {
    // Without a report it did not come to its end.
    if (one.file !== file || stillFailing.has(one.name) || again.passed === 0) continue;
    passed += 1;
    failed -= 1;
    passedAlone.push(`${file}: ${one.name}`);
  }
}

for (const one of passedAlone) console.log(`passed alone on second run: ${one}`);
if (failedChecks.length > 0) console.log(`failed checks: ${failedChecks.join(", ")}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/**
 * A folder in memory for the homes of tests: each commits many times, and on a disk most of a run would be waiting for
 * it. Null where there is none with room for all of them, or none that programs may be run from.
 */
function inMemory(): string | null {
  const place = "/dev/shm";
  const bytesMin = 6_000_000_000;
  try {
    const { bavail, bsize } = statfsSync(place);
    if (bavail * bsize < bytesMin) return null;
    const made = mkdtempSync(join(place, "tests-"));
    // Some tests run a program as another user.
    chmodSync(made, 0o755);
    const program = join(made, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    if (Bun.spawnSync([program]).exitCode === 0) return made;
    rmSync(made, { recursive: true });
  } catch {
    // Another system, or one that lets nobody in there or run anything from there.
  }
  return null;
}

interface Run {
  readonly exitCode: number;
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly { readonly file: string; readonly name: string }[];
}

/** Runs the test runner, prints what it prints, and returns what it counts and reports. */
async function run(args: readonly string[]): Promise<Run> {
  const report = join(folder, "report.xml");
  rmSync(report, { force: true });
  const reporting = ["--reporter=junit", `--reporter-outfile=${report}`];
  const tests = Bun.spawn(["bun", "test", "--timeout", "120000", ...reporting, ...args], {
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
    env: { ...process.env, ...testing, TMPDIR: homes, FORCE_COLOR: "0" },
  });
  const [summary] = await Promise.all([relay(tests.stderr), relay(tests.stdout)]);
  const exitCode = await tests.exited;
  const counts = { passed: count(summary, "pass"), failed: count(summary, "fail") };
  return { exitCode, ...counts, failures: failuresIn(report) };
}

/** Tests that a report in JUnit's form calls failed; none when there is no report. */
function failuresIn(report: string): Run["failures"] {
  let text = "";
  try {
    text = readFileSync(report, "utf8");
  } catch {
    return []; // The runner crashed, which counts by itself.
  }
  const failure =
    /<testcase name="([^"]*)" classname="([^"]*)"[^>]* file="([^"]*)"[^>]*>\s*<failure/g;
  return [...text.matchAll(failure)].map(([, name = "", group = "", file = ""]) => ({
    file: plain(file),
    name: plain(group === "" ? name : `${group} > ${name}`),
  }));
}

/** Text of an attribute. */
function plain(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    amp: "&",
  };
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => marks[name] ?? whole);
}

/** Prints a stream as it comes and returns all of it. */
async function relay(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    const piece = decoder.decode(chunk, { stream: true });
    text += piece;
    await Bun.write(Bun.stdout, piece);
  }
  return text;
}

/** The last ` N pass` line of the runner's summary. */
function count(text: string, word: "pass" | "fail"): number {
  const found = [...text.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, "gm"))].at(-1)?.[1];
  return found === undefined ? 0 : Number(found);
}
