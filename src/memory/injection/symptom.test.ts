import { expect, test } from "bun:test";
import { failureLineOf } from "#domain";
import { isSymptomOf } from "./beside.ts";

const tells = (failure: string, memory: string): boolean => {
  const line = failureLineOf(failure);
  return line !== null && isSymptomOf(line, memory);
};

test.each([
  [
    "npm ERR! ECONNREFUSED registry 127.0.0.1:4873",
    "ECONNREFUSED from the registry means that verdaccio is not running; start it with make registry",
  ],
  [
    "fatal: could not acquire the plotter spool lock held by another worker",
    "When the plotter spool lock is held by another worker, delete /var/lock/plotter and acquire it again",
  ],
  [
    "error[E0382]: borrow of moved value: `ledger`",
    "E0382 on the ledger: clone the handle before the spawn",
  ],
])("a memory tells of this failure: %p", (failure, memory) => {
  expect(tells(failure, memory)).toBe(true);
});

test.each([
  ["error: test failed", "The tests fail when the error log is missing"],
  ["Error: Cannot find module './x'", "The module cannot be found in the old layout"],
  [
    "npm ERR! ECONNREFUSED registry 127.0.0.1",
    "ENOENT of the registry means that the cache is gone",
  ],
  ["TypeError: undefined is not a function", "A TypeError in the login page came from the cache"],
  ["fatal: not a git repository", "We use git worktrees for reviews"],
  ["command not found: pnpm", "Use pnpm in this repo, never npm"],
  ["error TS2345: Argument of type 'A'", "The staging database listens on port 2345"],
])("a memory that shares words tells of something else: %p", (failure, memory) => {
  expect(tells(failure, memory)).toBe(false);
});
