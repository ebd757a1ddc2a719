import { expect, test } from "bun:test";
import { codesIn, failureLineOf, printedFailureOf } from "./shell-command.ts";

test.each([
  [
    "Exit code 1\nnpm ERR! code ECONNREFUSED\nnpm ERR! connect ECONNREFUSED 127.0.0.1:4873",
    "npm ERR! code ECONNREFUSED",
    ["econnrefused"],
  ],
  [
    "src/a.ts(4,2): error TS2345: Argument of type 'string' is not assignable",
    "src/a.ts(4,2): error TS2345: Argument of type 'string' is not assignable",
    ["ts2345"],
  ],
  [
    "collecting\n\u001B[31mfatal: the lock file is held by another process\u001B[0m\n",
    "fatal: the lock file is held by another process",
    [],
  ],
  [
    "error: build failed\nsqlite3.OperationalError: database is locked",
    "sqlite3.OperationalError: database is locked",
    ["operationalerror"],
  ],
])("the line that says why: %p", (text, line, codes) => {
  expect(failureLineOf(text)).toEqual({ text: line, codes });
});

test.each(["", "12 tests ran", "Exit code 1", "hello\nworld"])("nothing tells why: %p", (text) => {
  expect(failureLineOf(text)).toBeNull();
});

test("names that every failure has are no codes", () => {
  expect(codesIn("TypeError: x, ERR_ASSERTION, RuntimeError and E0382 in HTTP-404")).toEqual([
    "e0382",
    "http-404",
  ]);
});

test("of a long text both ends are looked at, and a long line is cut", () => {
  const middle = Array.from({ length: 500 }, (_, at) => `line ${at}`);
  const text = [...middle, "EADDRINUSE: address in use", ...middle.slice(0, 10)].join("\n");
  expect(failureLineOf(text)?.codes).toEqual(["eaddrinuse"]);
  expect(failureLineOf(`error ${"x".repeat(10_000)}`)?.text.length).toBe(400);
});

test.each([
  ["ok\n--- FAIL: TestQuay (0.01s)\nok", "--- FAIL: TestQuay (0.01s)"],
  ["FAIL\tquay/gauge [build failed]", "FAIL\tquay/gauge [build failed]"],
  ["error[E0382]: borrow of moved value", "error[E0382]: borrow of moved value"],
  ["git: fatal: not a repository", "git: fatal: not a repository"],
  ["0 errors\nno failures\nErrors are listed below", null],
  ["Failing over to the next quay", null],
])("%j: what a command printed of its failure is %j", (printed, line) => {
  expect(printedFailureOf(printed)).toBe(line);
});
