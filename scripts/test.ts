/**
 * Runs the checks (types, lint, format, dead code) and every test, and ends with one line: `N passed, N failed`.
 *
 *   bun scripts/test.ts [test path filters]
 *
 * Each check counts as one test, so that a lint error fails the suite as loudly as a broken promise.
 */
import { availableParallelism } from "node:os";
import { checks, runCheck } from "./check.ts";

const filters = process.argv.slice(2);
const failedChecks: string[] = [];
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

// One process more than cores: most of what takes long waits for programs, terminals and pages. The modules that a process
// has loaded serve all of its files, as in a run of one process. A hook that lost the race for a processor to another test
// goes on without its answer, as it should: such a test is tried once more.
const parallel = [`--parallel=${availableParallelism() + 1}`, "--no-isolate", "--retry=1"];
const tests = Bun.spawn(["bun", "test", "--timeout", "120000", ...parallel, ...filters], {
  stdout: "pipe",
  stderr: "pipe",
  stdin: "ignore",
  env: { ...process.env, FORCE_COLOR: "0" },
});
const [summary] = await Promise.all([relay(tests.stderr), relay(tests.stdout)]);
const exitCode = await tests.exited;
passed += count(summary, "pass");
const testFailures = count(summary, "fail");
failed += testFailures;
// A crash of the runner itself must not read as success.
if (exitCode !== 0 && testFailures === 0) failed += 1;
if (count(summary, "pass") === 0) failed += 1;

if (failedChecks.length > 0) console.log(`failed checks: ${failedChecks.join(", ")}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

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
